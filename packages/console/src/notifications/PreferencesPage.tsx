import type { NotificationPreferences } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'wouter'
import { useEnvironment } from '../data/environment.tsx'
import { useOrderedChanges } from '../data/ordered-changes.ts'
import { buttonClass } from '../design/Button.tsx'
import { Checkbox } from '../design/Field.tsx'
import { Icon } from '../design/Icon.tsx'
import { Notice, Stack } from '../design/Layout.tsx'
import { Loaded } from '../design/Lists.tsx'
import { Page } from '../design/Page.tsx'
import { Table } from '../design/Table.tsx'
import { CheckboxField, Group } from '../forms/Form.tsx'
import { useTexts } from '../texts/language.tsx'
import { permission, useDesktop, useSound } from './choices.ts'
import { playTone } from './tone.ts'
import { words } from './words.ts'

type Kind = keyof NotificationPreferences['kinds']
type Changes = {
  kinds?: Partial<Record<Kind, { inbox?: boolean; desktop?: boolean }>>
  follow?: Partial<NotificationPreferences['follow']>
}

const key = ['notification_preferences']

/** Says what an operator is told of, on every device, and how this browser tells it. Each choice is stored at once. */
export function PreferencesPage() {
  const text = useTexts(words)
  const { backline, name } = useEnvironment()
  const query = useQuery({ queryKey: key, queryFn: () => backline.notificationPreferences.retrieve() })
  return (
    <Page
      title={text.notification_preferences}
      intro={text.preferencesIntro}
      actions={
        <Link href={`/${name}/notifications`} className={buttonClass()}>
          <Icon name="bell" /> {text.notifications}
        </Link>
      }
    >
      <Stack gap={6}>
        <Loaded query={query}>{(preferences) => <Own preferences={preferences} />}</Loaded>
        <ThisBrowser />
      </Stack>
    </Page>
  )
}

function Own({ preferences }: { preferences: NotificationPreferences }) {
  const text = useTexts(words)
  const { backline } = useEnvironment()
  const perform = useOrderedChanges<NotificationPreferences>(key, text.notSaved)
  const change = (changes: Changes) =>
    perform({
      shown: (known) => merged(known, changes),
      store: () => backline.notificationPreferences.update(changes),
    })
  const { kinds, follow } = preferences
  const rows: [Kind, string][] = [
    ['mentioned', text.mentionedKind],
    ['assigned', text.assignedKind],
    ['handed_over', text.handedOverKind],
    ['answered', text.answeredKind],
    ['followed_up', text.followedUpKind],
    ['sla_breached', text.breachedKind],
    ['sla_warning', text.warningKind],
  ]
  const column = (setting: 'inbox' | 'desktop', label: string) => ({
    name: setting,
    label,
    cell: ([kind, means]: (typeof rows)[number]) => (
      <Checkbox
        label={<span className="visually-hidden">{`${label}: ${means}`}</span>}
        checked={kinds[kind].inbox && kinds[kind][setting]}
        disabled={setting === 'desktop' && !kinds[kind].inbox}
        onChange={(event) => change({ kinds: { [kind]: { [setting]: event.target.checked } } })}
      />
    ),
  })
  return (
    <>
      <Group title={text.kinds} intro={text.kindsHint}>
        <Table
          caption={text.kinds}
          rows={rows}
          keyOf={([kind]) => kind}
          columns={[
            { name: 'kind', label: text.happens, cell: ([, means]) => means },
            column('inbox', text.inList),
            column('desktop', text.outside),
          ]}
        />
      </Group>
      <Group title={text.following} intro={text.followingHint}>
        <CheckboxField
          label={text.onMention}
          value={follow.on_mention}
          onChange={(on_mention) => change({ follow: { on_mention } })}
        />
        <CheckboxField
          label={text.onReply}
          value={follow.on_reply}
          onChange={(on_reply) => change({ follow: { on_reply } })}
        />
      </Group>
    </>
  )
}

function merged(known: NotificationPreferences, { kinds = {}, follow }: Changes): NotificationPreferences {
  const changed = Object.entries(kinds).map(([kind, each]) => [
    kind,
    { ...known.kinds[kind as Kind], ...each },
  ])
  return {
    ...known,
    kinds: { ...known.kinds, ...Object.fromEntries(changed) },
    follow: { ...known.follow, ...follow },
  }
}

/** The choices that this browser stores. It is asked for its permission only when the person chooses the desktop. */
function ThisBrowser() {
  const text = useTexts(words)
  const [desktop, chooseDesktop] = useDesktop()
  const [sound, chooseSound] = useSound()
  const [fault, setFault] = useState<string | null>(null)
  const isShown = desktop === 'on' && permission() === 'granted'
  const onDesktop = async (isWanted: boolean) => {
    setFault(null)
    if (!isWanted) return chooseDesktop('off')
    if ((await Notification.requestPermission()) !== 'granted') return setFault(text.desktopDenied)
    try {
      new Notification(text.notifications, { body: text.desktopSample, tag: 'sample' })
      chooseDesktop('on')
    } catch {
      setFault(text.desktopMissing) // phones
    }
  }
  return (
    <Group title={text.thisBrowser} intro={text.thisBrowserHint}>
      {permission() === null ? (
        <Notice tone="info">{text.desktopMissing}</Notice>
      ) : (
        <CheckboxField
          label={text.showOnDesktop}
          hint={text.desktopMeans}
          error={fault ?? undefined}
          value={isShown}
          onChange={(isWanted) => void onDesktop(isWanted)}
        />
      )}
      <CheckboxField
        label={text.playSound}
        value={sound === 'on'}
        onChange={(isWanted) => {
          chooseSound(isWanted ? 'on' : 'off')
          if (isWanted) void playTone()
        }}
      />
    </Group>
  )
}
