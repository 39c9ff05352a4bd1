import { useEffect, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { useCommands } from '../app/commands.tsx'
import { deferred, whenIdle } from '../app/deferred.tsx'
import { useConfigurationEvents } from '../data/configuration.ts'
import { useEnvironment } from '../data/environment.tsx'
import { Demo } from '../demo/Demo.tsx'
import { IconButton } from '../design/Button.tsx'
import { ErrorBoundary } from '../design/ErrorBoundary.tsx'
import { Empty } from '../design/States.tsx'
import { Unsent, useUnsentTitle } from '../inbox/Unsent.tsx'
import { useTexts } from '../texts/language.tsx'
import { areas, Showcase } from './routes.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { texts } from './texts.ts'

const Palette = deferred(async () => (await import('./Palette.tsx')).Palette)

export function Shell() {
  const text = useTexts(texts)
  const { name, can } = useEnvironment()
  const [path, navigate] = useLocation()
  useConfigurationEvents()
  useUnsentTitle()
  const [isPaletteOpen, setPaletteOpen] = useState<boolean | null>(null)
  const [isMenuOpen, setMenuOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another page closes the menu.
  useEffect(() => setMenuOpen(false), [path])
  // Who presses ⌘K types on at once.
  useEffect(() => whenIdle(() => void Palette.load()), [])
  const offered = areas.filter(({ scope }) => can(scope))
  useCommands([
    {
      label: text.palette,
      group: text.go,
      shortcut: 'mod k',
      icon: 'search',
      run: () => setPaletteOpen(true),
    },
    ...offered.map(({ label, path, icon, shortcut }) => ({
      label: text[label] as string,
      group: text.go,
      icon,
      shortcut,
      run: () => navigate(`/${name}/${path}`),
    })),
    { label: text.design, group: text.go, icon: 'template', run: () => navigate(`/${name}/design`) },
  ])
  return (
    <div className={styles.shell} data-environment={name}>
      <button
        type="button"
        className={styles.skip}
        onClick={() => document.getElementById('content')?.focus()}
      >
        {text.skip}
      </button>
      {name === 'test' && <aside className={styles.ribbon}>{text.testRibbon}</aside>}
      <header className={styles.bar}>
        <IconButton
          icon="menu"
          label={text.menu}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        />
        <strong>Backline</strong>
        <Unsent />
      </header>
      <Sidebar
        areas={offered}
        isOpen={isMenuOpen}
        onClose={() => setMenuOpen(false)}
        onPalette={() => setPaletteOpen(true)}
      />
      <main id="content" tabIndex={-1} className={styles.content}>
        <ErrorBoundary>
          <Switch>
            {offered.map(({ path, Page }) => (
              <Route key={path} path={`/${name}/${path}`} nest component={Page} />
            ))}
            {areas.map(({ path }) => (
              <Route key={path} path={`/${name}/${path}/*?`}>
                <Empty icon="shield" title={text.notAllowed} />
              </Route>
            ))}
            <Route path={`/${name}/design`} component={Showcase} />
            <Route>
              <Empty icon="search" title={text.notFound} />
            </Route>
          </Switch>
        </ErrorBoundary>
      </main>
      <Demo />
      {isPaletteOpen !== null && <Palette isOpen={isPaletteOpen} onClose={() => setPaletteOpen(false)} />}
    </div>
  )
}
