import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useEnvironment } from '../../data/environment.tsx'
import { saveFile } from '../../data/save-file.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Quiet } from '../../design/Layout.tsx'
import { ErrorState, Loading } from '../../design/States.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useTexts } from '../../texts/language.tsx'
import { imageQuery } from '../model/images.ts'
import { texts } from './texts.ts'
import styles from './Viewer.module.css'
import type { Picture } from './viewing.ts'

type ViewerProps = { pictures: Picture[]; first: Picture; onClose(): void }

/** An image of the thread, as large as the window allows; buttons and arrow keys go through all of them. */
export function Viewer({ pictures, first, onClose }: ViewerProps) {
  const text = useTexts(texts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const [id, setId] = useState(first.file_id)
  // One that is not sent yet is in no message.
  const all = pictures.some(({ file_id }) => file_id === first.file_id) ? pictures : [first]
  const place = Math.max(
    0,
    all.findIndex(({ file_id }) => file_id === id),
  )
  const shown = all[place] ?? first
  const step = (by: number) => setId(all[(place + by + all.length) % all.length]!.file_id)
  const latest = useRef(step)
  useEffect(() => {
    latest.current = step
  })
  useEffect(() => {
    const onKey = ({ key, altKey, ctrlKey, metaKey }: KeyboardEvent) => {
      if (altKey || ctrlKey || metaKey) return
      if (key === 'ArrowLeft') latest.current(-1)
      if (key === 'ArrowRight') latest.current(1)
    }
    // Dialogs keep keys from the page: they are seen on their way down.
    document.addEventListener('keydown', onKey, true)
    return () => document.removeEventListener('keydown', onKey, true)
  }, [])
  const { data, error, refetch } = useQuery(imageQuery(backline, shown.file_id))
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={shown.filename}
      form="full"
      actions={
        <>
          {all.length > 1 && (
            <>
              <IconButton icon="arrowLeft" label={text.previousImage} onClick={() => step(-1)} />
              <Quiet role="status">{text.imagePlace(place + 1, all.length)}</Quiet>
              <IconButton icon="arrowRight" label={text.nextImage} onClick={() => step(1)} />
            </>
          )}
          <Button
            icon="arrowDown"
            onClick={() =>
              void saveFile(backline, shown.file_id, shown.filename).catch((failure) =>
                toast.failed({ title: text.downloadFailed, detail: reasonOf(failure) }),
              )
            }
          >
            {text.downloadIt}
          </Button>
        </>
      }
    >
      <div className={styles.place}>
        {data ? (
          <img key={shown.file_id} src={data} alt={shown.filename} className={styles.picture} />
        ) : error ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <Loading lines={4} />
        )}
      </div>
    </Dialog>
  )
}
