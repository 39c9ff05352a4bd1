import type { Attachment } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { IconButton } from '../../design/Button.tsx'
import { classes } from '../../design/classes.ts'
import { Icon } from '../../design/Icon.tsx'
import { Row, Truncated } from '../../design/Layout.tsx'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { sizeText } from '../../texts/sizes.ts'
import { imageQuery } from '../model/images.ts'
import { isPicture } from '../thread/viewing.ts'
import styles from './Files.module.css'
import { texts } from './texts.ts'
import type { Upload } from './use-uploads.ts'

type FilesProps = {
  attachments: Attachment[]
  uploads: Upload[]
  onRemove(fileId: string): void
  onCancel(key: string): void
  onRetry(upload: Upload): void
}

/** The files of a draft: those that have arrived, and those that are on their way. */
export function Files({ attachments, uploads, onRemove, onCancel, onRetry }: FilesProps) {
  const text = useTexts(texts)
  const { language } = useLanguage()
  if (attachments.length + uploads.length === 0) return null
  return (
    <Row as="ul" gap={1} wraps className={styles.files} aria-label={text.attachments}>
      {attachments.map((attachment) => {
        const { file_id, filename, size_bytes } = attachment
        return (
          <Row as="li" key={file_id} gap={1} className={styles.file}>
            {isPicture(attachment) ? <Thumbnail fileId={attachment.file_id} /> : <Icon name="attach" />}
            <Truncated className={styles.name}>{filename}</Truncated>
            <small>{sizeText(size_bytes, language)}</small>
            <IconButton icon="close" label={text.removeNamed(filename)} onClick={() => onRemove(file_id)} />
          </Row>
        )
      })}
      {uploads.map((upload) => (
        <Row
          as="li"
          key={upload.key}
          gap={1}
          className={classes(styles.file, upload.failure && styles.failed)}
        >
          <Icon name={upload.failure ? 'warning' : 'attach'} />
          <Truncated className={styles.name}>{upload.file.name}</Truncated>
          <small role="status">
            {upload.failure ? `${text.uploadFailed}: ${upload.failure}` : text.uploading}
          </small>
          {upload.failure && upload.canRetry && (
            <IconButton
              icon="refresh"
              label={text.retryUpload(upload.file.name)}
              onClick={() => onRetry(upload)}
            />
          )}
          <IconButton
            icon="close"
            label={text.removeNamed(upload.file.name)}
            onClick={() => onCancel(upload.key)}
          />
        </Row>
      ))}
    </Row>
  )
}

function Thumbnail({ fileId }: { fileId: string }) {
  const { backline } = useEnvironment()
  const { data } = useQuery(imageQuery(backline, fileId))
  return data ? <img src={data} alt="" className={styles.thumbnail} /> : <Icon name="image" />
}
