import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import { ErrorBoundary } from './ErrorBoundary.tsx'
import styles from './Tabs.module.css'

export type Tab<Name extends string> = { name: Name; label: ReactNode; content: ReactNode }

type TabsProps<Name extends string> = { tabs: Tab<Name>[]; chosen: Name; onSelect(name: Name): void }

export function Tabs<Name extends string>({ tabs, chosen, onSelect }: TabsProps<Name>) {
  return (
    <Base.Root value={chosen} onValueChange={(name) => onSelect(name as Name)} className={styles.tabs}>
      <Base.List className={styles.list}>
        {tabs.map(({ name, label }) => (
          <Base.Tab key={name} value={name} className={styles.tab}>
            {label}
          </Base.Tab>
        ))}
      </Base.List>
      {tabs.map(({ name, content }) => (
        // What is in a panel takes the focus, not the panel.
        <Base.Panel key={name} value={name} className={styles.panel} tabIndex={undefined}>
          <ErrorBoundary>{content}</ErrorBoundary>
        </Base.Panel>
      ))}
    </Base.Root>
  )
}
