import { useEffect, useState } from 'react'
import { Route, Switch, useLocation } from 'wouter'
import { useCommands } from '../app/commands.tsx'
import { lazyComponent, whenIdle } from '../app/lazy.tsx'
import { useUndoCommand } from '../app/undo.tsx'
import { useConfigurationEvents } from '../data/configuration.ts'
import { useEnvironment } from '../data/environment.tsx'
import { Demo } from '../demo/Demo.tsx'
import { IconButton } from '../design/Button.tsx'
import { ErrorBoundary } from '../design/ErrorBoundary.tsx'
import { Loading } from '../design/States.tsx'
import { Unsent, useUnsentTitle } from '../inbox/Unsent.tsx'
import { BellLink } from '../notifications/Bell.tsx'
import { NotificationsPage, PreferencesPage } from '../notifications/lazy.tsx'
import { useTexts } from '../texts/language.tsx'
import { pageTexts } from '../texts/pages.ts'
import { AreaPages, NotFound, NotOffered } from './AreaPages.tsx'
import { Offline } from './Offline.tsx'
import { areas, isOffered, Showcase } from './pages.tsx'
import styles from './Shell.module.css'
import { Sidebar } from './Sidebar.tsx'
import { useAutomaticStatus } from './status/use-automatic-status.ts'
import { texts } from './texts.ts'

const Palette = lazyComponent(async () => (await import('../palette/Palette.tsx')).Palette)
const GetStarted = lazyComponent(
  async () => (await import('../get-started/GetStarted.tsx')).GetStarted,
  <Loading lines={6} />,
)
const KeysDialog = lazyComponent(async () => (await import('../palette/KeysDialog.tsx')).KeysDialog)

export function Shell() {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const environment = useEnvironment()
  const { name } = environment
  const [path, navigate] = useLocation()
  useConfigurationEvents()
  useUnsentTitle()
  useUndoCommand()
  useAutomaticStatus()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [areKeysOpen, setKeysOpen] = useState(false)
  const [isMenuOpen, setMenuOpen] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: Another page closes the menu.
  useEffect(() => setMenuOpen(false), [path])
  // Who presses ⌘K types on at once.
  useEffect(() => whenIdle(() => void Palette.load()), [])
  const offered = areas.filter((area) => isOffered(area, environment))
  useCommands([
    {
      name: 'palette',
      label: text.palette,
      group: text.general,
      place: 'setting',
      shortcut: 'mod k',
      icon: 'search',
      run: () => setPaletteOpen(true),
    },
    {
      name: 'keys',
      label: text.keys,
      group: text.general,
      place: 'setting',
      shortcut: '?',
      icon: 'keyboard',
      run: () => setKeysOpen(true),
    },
    ...offered.map(({ path, icon, shortcut }) => ({
      name: path,
      label: labels[path],
      group: text.go,
      place: 'go' as const,
      icon,
      shortcut,
      run: () => navigate(`/${name}/${path}`),
    })),
    ...offered.flatMap(({ path: area, pages }) =>
      pages
        .filter((page) => isOffered(page, environment))
        .map(({ path, icon }) => ({
          name: `${area}/${path}`,
          label: labels[path],
          group: labels[area],
          place: 'go' as const,
          icon,
          run: () => navigate(`/${name}/${area}/${path}`),
        })),
    ),
    {
      name: 'get_started',
      label: labels.get_started,
      group: text.general,
      place: 'setting',
      icon: 'star',
      run: () => navigate(`/${name}/get_started`),
    },
    {
      label: labels.design,
      group: text.general,
      place: 'setting',
      icon: 'template',
      run: () => navigate(`/${name}/design`),
    },
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
      <div className={styles.top}>
        {name === 'test' && <aside className={styles.ribbon}>{text.testRibbon}</aside>}
        <Offline />
      </div>
      <header className={styles.bar}>
        <IconButton
          icon="menu"
          label={text.menu}
          aria-expanded={isMenuOpen}
          onClick={() => setMenuOpen(!isMenuOpen)}
        />
        <strong>Backline</strong>
        <Unsent />
        <BellLink />
        <IconButton icon="search" label={text.palette} onClick={() => setPaletteOpen(true)} />
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
            {areas.map((area) => (
              <Route key={area.path} path={`/${name}/${area.path}`} nest>
                {isOffered(area, environment) ? <AreaPages area={area} /> : <NotOffered {...area} />}
              </Route>
            ))}
            <Route path={`/${name}/notifications`} component={NotificationsPage} />
            <Route path={`/${name}/notifications/preferences`} component={PreferencesPage} />
            <Route path={`/${name}/design`} component={Showcase} />
            <Route path={`/${name}/get_started`} component={GetStarted} />
            <Route component={NotFound} />
          </Switch>
        </ErrorBoundary>
      </main>
      <Demo />
      {areKeysOpen && <KeysDialog onClose={() => setKeysOpen(false)} />}
      {isPaletteOpen && <Palette onClose={() => setPaletteOpen(false)} />}
    </div>
  )
}
