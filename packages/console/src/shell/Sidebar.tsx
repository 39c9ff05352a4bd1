import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import links from '../app/AreaLinks.module.css'
import { useCommand, useCommands } from '../app/commands.tsx'
import type { EnvironmentName } from '../data/client.ts'
import { useEnvironment } from '../data/environment.tsx'
import { useIsLive } from '../data/live.tsx'
import { callConsole } from '../data/session.ts'
import { countUnsent, removeUnsent } from '../data/unsent.ts'
import { useWrite } from '../data/write.ts'
import { Avatar } from '../design/Avatar.tsx'
import { IconButton } from '../design/Button.tsx'
import { classes } from '../design/classes.ts'
import { Icon } from '../design/Icon.tsx'
import { KeyHint } from '../design/KeyHint.tsx'
import { Row, Truncated } from '../design/Layout.tsx'
import { Menu } from '../design/Menu.tsx'
import { Splitter } from '../design/Splitter.tsx'
import { Unsent } from '../inbox/Unsent.tsx'
import { Bell } from '../notifications/Bell.tsx'
import { noteSession } from '../sign-in/arrival.ts'
import { type Language, languages } from '../texts/define.ts'
import { useLanguage, useTexts } from '../texts/language.tsx'
import { pageTexts } from '../texts/pages.ts'
import type { Area } from './pages.tsx'
import styles from './Sidebar.module.css'
import { SignOutDialog } from './SignOutDialog.tsx'
import { StatusLine } from './status/StatusLine.tsx'
import { StatusMenu } from './status/StatusMenu.tsx'
import { texts } from './texts.ts'
import { themes, useTheme } from './theme.tsx'

const themeIcons = { system: 'sliders', light: 'sun', dark: 'moon' } as const

type SidebarProps = { areas: Area[]; isOpen: boolean; onClose(): void; onPalette(): void }

export function Sidebar({ areas, isOpen, onClose, onPalette }: SidebarProps) {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const [path] = useLocation()
  const { name, session } = useEnvironment()
  const isLive = useIsLive()
  return (
    <>
      {isOpen && <button type="button" className={styles.cover} aria-label={text.menu} onClick={onClose} />}
      <nav className={classes(styles.sidebar, isOpen && styles.open)} aria-label={text.navigation}>
        <Row className={styles.workspace}>
          <img src="./icon.svg" alt="" width="24" height="24" />
          <Truncated as="strong" title={session.workspace.name}>
            {session.workspace.name}
          </Truncated>
          <span
            role="status"
            className={classes(styles.dot, isLive && styles.connected)}
            title={isLive ? text.connected : text.connecting}
            aria-label={isLive ? text.connected : text.connecting}
          />
          <Bell />
        </Row>
        <EnvironmentSwitch />
        <button type="button" className={styles.palette} onClick={onPalette}>
          <Icon name="search" /> <span>{text.palette}</span> <KeyHint keys="mod k" />
        </button>
        <ul className={links.links}>
          {areas.map(({ path: area, icon, load }) => (
            <li key={area}>
              <Link
                href={`/${name}/${area}`}
                className={links.link}
                aria-current={path.startsWith(`/${name}/${area}`) ? 'page' : undefined}
                onClick={onClose}
                onPointerEnter={() => void load()}
                onFocus={() => void load()}
              >
                <Icon name={icon} /> {labels[area]}
              </Link>
            </li>
          ))}
        </ul>
        {/* Areas place their own navigation here. */}
        <div id="area-navigation" className={styles.own} />
        <Unsent />
        <StatusLine />
        <Account />
        <Splitter name="sidebar" of={text.navigation} />
      </nav>
    </>
  )
}

function EnvironmentSwitch() {
  const text = useTexts(texts)
  const [path, navigate] = useLocation()
  const { name, session } = useEnvironment()
  const names = (['live', 'test'] as EnvironmentName[]).filter((each) => session.environments[each])
  const [, , area = 'inbox'] = path.split('/')
  useCommands(
    names
      .filter((each) => each !== name)
      .map((each) => ({
        name: `environment:${each}`,
        label: text.switchTo(text[each]),
        group: text.environment,
        place: 'setting',
        icon: 'compare',
        run: () => navigate(`/${each}/${area}`),
      })),
  )
  return (
    <fieldset className={styles.environments}>
      <legend className="visually-hidden">{text.environment}</legend>
      {names.map((each) => (
        <Link
          key={each}
          href={`/${each}/${area}`}
          className={classes(styles.environment, styles[each])}
          aria-current={each === name ? 'true' : undefined}
          aria-label={each === name ? text[each] : text.switchTo(text[each])}
        >
          {text[each]}
        </Link>
      ))}
    </fieldset>
  )
}

function Account() {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const { name, operator, session } = useEnvironment()
  const [, navigate] = useLocation()
  const [unsent, setUnsent] = useState<ReturnType<typeof countUnsent> | null>(null)
  const { theme, choose: chooseTheme } = useTheme()
  const { language, choose } = useLanguage()
  const chooseLanguage = useWrite({ run: choose, refresh: [], failed: text.languageFailed })
  const keys = useCommand('keys')
  const themeLabel = { system: text.themeSystem, light: text.themeLight, dark: text.themeDark }
  const signOut = useWrite<{ removes: boolean }>({
    run: () => callConsole('DELETE', 'session'),
    refresh: [],
    failed: text.signOutFailed,
    onDone(_, { removes }) {
      if (removes) removeUnsent(session)
      noteSession(null)
      location.assign(document.baseURI)
    },
  })
  const ask = () => {
    const { messages, drafts } = countUnsent(session)
    if (messages + drafts > 0) setUnsent({ messages, drafts })
    else signOut.mutate({ removes: false })
  }
  const nameOf = (each: Language) => new Intl.DisplayNames(each, { type: 'language' }).of(each) ?? each
  useCommands([
    ...themes.map((each) => ({
      name: `theme:${each}`,
      label: themeLabel[each],
      group: text.theme,
      place: 'setting' as const,
      icon: themeIcons[each],
      run: () => chooseTheme(each),
    })),
    ...languages.map((each) => ({
      name: `language:${each}`,
      label: text.languageNamed(nameOf(each)),
      group: text.language,
      place: 'setting' as const,
      icon: 'globe' as const,
      run: () => chooseLanguage.mutate(each),
    })),
    { label: text.signOut, group: text.account, icon: 'signOut', isDangerous: true, run: ask },
  ])
  return (
    <Row className={styles.account}>
      <StatusMenu />
      <Avatar name={operator.name} />
      <Truncated className={styles.name}>
        <Truncated as="strong">{operator.name}</Truncated>
        <small>{text[operator.role]}</small>
      </Truncated>
      <Menu
        trigger={<IconButton icon="more" label={text.account} />}
        groups={[
          themes.map((each) => ({
            label: themeLabel[each],
            isChecked: each === theme,
            onSelect: () => chooseTheme(each),
          })),
          languages.map((each) => ({
            label: nameOf(each),
            isChecked: each === language,
            onSelect: () => chooseLanguage.mutate(each),
          })),
          [
            {
              label: labels.notification_preferences,
              icon: 'bell',
              onSelect: () => navigate(`/${name}/notifications/preferences`),
            },
            ...(keys
              ? [{ label: keys.label, icon: 'keyboard' as const, shortcut: '?', onSelect: () => keys.run() }]
              : []),
          ],
          [{ label: text.signOut, icon: 'signOut', onSelect: ask }],
        ]}
      />
      {unsent && (
        <SignOutDialog
          {...unsent}
          isBusy={signOut.isPending}
          onClose={() => setUnsent(null)}
          onSignOut={(removes) => signOut.mutate({ removes })}
        />
      )}
    </Row>
  )
}
