import { Toast as Base } from '@base-ui/react/toast'
import type { ReactNode } from 'react'
import { common } from '../texts/common.ts'
import { useTexts } from '../texts/language.tsx'
import { IconButton } from './Button.tsx'
import { classes } from './classes.ts'
import styles from './Toast.module.css'

type Notice = {
  title: string
  detail?: string | undefined
  action?: { label: ReactNode; run(): void }
  timeoutMs?: number
  /** Called when it disappears, by itself or because the person closes it. */
  onClosed?(): void
}

/** Says that something has happened or failed, for a few seconds at the corner of the page. */
export function useToast() {
  const { add, close } = Base.useToastManager()
  /** Returns how to close it. */
  const show = (type: 'done' | 'failed', { title, detail, action, timeoutMs, onClosed }: Notice) => {
    const id = add({
      type,
      title,
      description: detail,
      priority: type === 'failed' ? 'high' : 'low',
      timeout: timeoutMs ?? (type === 'failed' ? 10_000 : 4_000),
      ...(action && { actionProps: { children: action.label, onClick: action.run } }),
      ...(onClosed && { onClose: onClosed }),
    })
    return () => close(id)
  }
  return {
    done: (notice: Notice) => show('done', notice),
    failed: (notice: Notice) => show('failed', notice),
  }
}

export function Toasts({ children }: { children: ReactNode }) {
  return (
    <Base.Provider>
      {children}
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <Open />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}

function Open() {
  const text = useTexts(common)
  const { toasts } = Base.useToastManager()
  return toasts.map((toast) => (
    <Base.Root
      key={toast.id}
      toast={toast}
      className={classes(styles.toast, toast.type === 'failed' && styles.failed)}
    >
      <Base.Content className={styles.content}>
        <Base.Title className={styles.title} />
        <Base.Description className={styles.detail} />
        <Base.Action className={styles.action} />
      </Base.Content>
      <Base.Close render={<IconButton icon="close" label={text.close} />} />
    </Base.Root>
  ))
}
