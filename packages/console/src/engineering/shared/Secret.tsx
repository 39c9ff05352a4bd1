import type { ReactNode } from 'react'
import { Button } from '../../design/Button.tsx'
import { CopyButton } from '../../design/Copy.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Notice } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import styles from './Secret.module.css'
import { texts } from './texts.ts'

type SecretProps = {
  title: string
  /** Null closes the dialog. It is kept by the component that asked for it, and nowhere else. */
  secret: string | null
  onClose(): void
  children?: ReactNode
}

/** Shows a secret that the server does not show again. */
export function SecretDialog({ title, secret, onClose, children }: SecretProps) {
  const text = useTexts(texts)
  return (
    <Dialog
      isOpen={secret !== null}
      onClose={onClose}
      title={title}
      actions={
        <>
          <Button onClick={onClose}>{text.done}</Button>
          <CopyButton value={secret ?? ''} variant="primary" />
        </>
      }
    >
      <Notice tone="warn" icon="warning">
        {text.secretOnce}
      </Notice>
      <Notice as="code" tone="plain" className={styles.secret}>
        {secret}
      </Notice>
      {children}
    </Dialog>
  )
}
