import type { Attachment } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useContext } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { saveFile } from '../../data/save-file.ts'
import { Badge } from '../../design/Badge.tsx'
import { Icon } from '../../design/Icon.tsx'
import { Row, Truncated } from '../../design/Layout.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { sizeText } from '../../texts/sizes.ts'
import { imageQuery } from '../model/images.ts'
import styles from './Attachments.module.css'
import { texts } from './texts.ts'
import { isPicture, Viewing } from './viewing.ts'

export function Attachments({ attachments }: { attachments: Attachment[] }) {
  const shown = attachments.filter(({ disposition }) => disposition !== 'inline')
  if (shown.length === 0) return null
  return (
    <Row as="ul" wraps className={styles.list}>
      {shown.map((attachment) => (
        <li key={attachment.file_id}>
          <File attachment={attachment} />
        </li>
      ))}
    </Row>
  )
}

function File({ attachment }: { attachment: Attachment }) {
  const text = useTexts(texts)
  const { language } = useLanguage()
  const toast = useToast()
  const { backline } = useEnvironment()
  const show = useContext(Viewing)
  const { file_id, filename, size_bytes, status } = attachment
  const isShown = isPicture(attachment)
  const save = () =>
    saveFile(backline, file_id, filename).catch((error) =>
      toast.failed({ title: text.downloadFailed, detail: reasonOf(error) }),
    )
  return (
    <button
      type="button"
      className={styles.file}
      disabled={status !== 'ready'}
      title={status !== 'ready' ? undefined : isShown ? text.showImage(filename) : text.download(filename)}
      onClick={() => (isShown ? show(attachment) : void save())}
    >
      {isShown ? <Picture fileId={file_id} /> : <Icon name="attach" />}
      <Truncated>{filename}</Truncated>
      <small>{sizeText(size_bytes, language)}</small>
      {status !== 'ready' && <Badge tone={status === 'rejected' ? 'bad' : 'neutral'}>{text[status]}</Badge>}
    </button>
  )
}

function Picture({ fileId }: { fileId: string }) {
  const { backline } = useEnvironment()
  const { data } = useQuery(imageQuery(backline, fileId))
  if (data) return <img src={data} alt="" className={styles.picture} />
  return (
    <span className={styles.picture}>
      <Icon name="attach" />
    </span>
  )
}
