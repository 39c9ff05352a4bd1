import { type ReactNode, useId, useState } from 'react'
import { ErrorBoundary } from '../../design/ErrorBoundary.tsx'
import { Icon } from '../../design/Icon.tsx'
import styles from './Section.module.css'

type SectionProps = {
  /** Names the section where its state is remembered. */
  name: string
  title: string
  /** A short note at the end of the title, such as a number. */
  note?: ReactNode
  isOpenAtFirst?: boolean
  children: ReactNode
}

/** A part of the side panel that can be folded, and stays as it was left. What is folded loads nothing. */
export function Section({ name, title, note, isOpenAtFirst = true, children }: SectionProps) {
  const id = useId()
  const storedAs = `backline.side.${name}`
  const [isOpen, setOpen] = useState(
    () => (localStorage.getItem(storedAs) ?? String(isOpenAtFirst)) === 'true',
  )
  function toggle() {
    localStorage.setItem(storedAs, String(!isOpen))
    setOpen(!isOpen)
  }
  return (
    <section className={styles.section} aria-labelledby={`${id}-title`}>
      <h2 className={styles.heading}>
        <button
          type="button"
          id={`${id}-title`}
          className={styles.toggle}
          aria-expanded={isOpen}
          aria-controls={id}
          onClick={toggle}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} size={14} />
          <span className={styles.title}>{title}</span>
          {note != null && <small>{note}</small>}
        </button>
      </h2>
      <div id={id} className={styles.content} hidden={!isOpen}>
        {isOpen && <ErrorBoundary>{children}</ErrorBoundary>}
      </div>
    </section>
  )
}
