import { Dialog as Base } from '@base-ui/react/dialog'
import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { IconButton } from './Button.tsx'
import { classes } from './classes.ts'
import styles from './Dialog.module.css'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import { Row } from './Layout.tsx'

type DialogProps = {
  isOpen: boolean
  onClose(): void
  title: string
  children: ReactNode
  /** The buttons at the end, the main one last. Without a field, that with `data-main` or the first has the focus. */
  actions?: ReactNode
  /** A `panel` stands at the side of the page; it suits long forms. A `full` one has nearly all of it, for pictures. */
  form?: 'centre' | 'panel' | 'full'
  width?: 'normal' | 'wide'
  /** The content has no controls: it takes the focus itself, so that the keyboard can scroll it. */
  isText?: boolean
  onKeyDown?(event: KeyboardEvent<HTMLElement>): void
}

/** A page above the page: takes the focus, to its first field or action, and gives it back; closes by Escape. */
export function Dialog({
  isOpen,
  onClose,
  title,
  children,
  actions,
  form = 'centre',
  width = 'normal',
  isText = false,
  onKeyDown,
}: DialogProps) {
  const text = useTexts(common)
  const body = useRef<HTMLDivElement>(null)
  const footer = useRef<HTMLElement>(null)
  return (
    <Base.Root open={isOpen} onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        {/* Also above another dialog. */}
        <Base.Backdrop forceRender className={styles.backdrop} />
        <Base.Popup
          onKeyDown={onKeyDown}
          className={classes(styles.popup, styles[form], styles[width])}
          initialFocus={() =>
            body.current?.querySelector<HTMLElement>('input, select, textarea') ??
            footer.current?.querySelector<HTMLElement>('button[data-main]') ??
            footer.current?.querySelector<HTMLElement>('button') ??
            ((isText && body.current) || true)
          }
        >
          <Row as="header" justify="between" className={styles.header}>
            <Base.Title>{title}</Base.Title>
            <Base.Close render={<IconButton icon="close" label={text.close} />} />
          </Row>
          <div
            ref={body}
            className={styles.body}
            {...(isText && { role: 'region', 'aria-label': title, tabIndex: 0 })}
          >
            <ErrorBoundary>{children}</ErrorBoundary>
          </div>
          {actions && (
            <Row as="footer" justify="end" ref={footer} className={styles.footer}>
              {actions}
            </Row>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
