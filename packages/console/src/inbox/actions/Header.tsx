import type { Conversation } from '@backline/sdk'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useEnvironment } from '../../data/environment.tsx'
import { useNow } from '../../data/now.ts'
import { Badge } from '../../design/Badge.tsx'
import { IconButton } from '../../design/Button.tsx'
import { Row, Stack, Truncated } from '../../design/Layout.tsx'
import { Menu } from '../../design/Menu.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Followers } from '../follow/Followers.tsx'
import { DueText } from '../model/DueText.tsx'
import { useMedia } from '../model/media.ts'
import { useFocusOnOpening } from '../model/opening.ts'
import { nameOfPerson } from '../model/people.ts'
import { useSidePanel } from '../model/side-panel.ts'
import { modelTexts, toneOfStatus } from '../model/texts.ts'
import { Colleagues } from '../presence/Colleagues.tsx'
import type { Colleague } from '../presence/use-colleagues.ts'
import { Assign } from './Assign.tsx'
import type { ClaimNext } from './claim-next.ts'
import styles from './Header.module.css'
import { HeaderActions } from './HeaderActions.tsx'
import { HeaderDialogs } from './HeaderDialogs.tsx'
import { Priority } from './Priority.tsx'
import { Tags } from './Tags.tsx'
import { texts } from './texts.ts'
import { type Opened, useActions } from './use-actions.ts'

type HeaderProps = {
  conversation: Conversation
  colleagues: Colleague[]
  claimNext: ClaimNext
  href: string
  backHref: string
  isWide: boolean
}

/** The state of a conversation, and what can be done with it. */
export function Header(props: HeaderProps) {
  const { conversation, colleagues, claimNext, href, backHref, isWide } = props
  const text = useTexts(texts)
  const shared = useTexts(modelTexts)
  const nowMs = useNow()
  const [, navigate] = useLocation()
  const isNarrow = useMedia('(width < 56rem)')
  const isPhone = useMedia('(width < 30rem)')
  const Heading = isNarrow ? 'h1' : 'h2'
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnOpening(conversation.id, 'heading', heading)
  const { can } = useEnvironment()
  const [isSideOpen, setSideOpen] = useSidePanel()
  const [opened, setOpened] = useState<Opened | null>(null)
  const showDetails = () => (isWide ? setSideOpen(!isSideOpen) : navigate(detailsOf(href)))
  const actions = useActions({ conversation, setOpened, showDetails })
  const { mutate, offered, beside, rest } = actions
  const opening = (name: Opened) => ({
    isOpen: opened === name,
    onOpenChange: (isOpen: boolean) => setOpened(isOpen ? name : null),
  })
  const next = {
    label: text.next,
    icon: 'chevronRight' as const,
    shortcut: 'n',
    isDisabled: claimNext.isPending,
    onSelect: claimNext.run,
  }
  const menu = [
    rest.map(({ run, ...item }) => ({ ...item, onSelect: run })),
    can('conversations:write') ? [next] : [],
  ].filter((items) => items.length > 0)
  const buttons = <HeaderActions main={actions.main} beside={beside} isNarrow={isNarrow} />
  const { subject, status } = conversation
  return (
    <Stack as="header" gap={1} className={styles.header}>
      <Row>
        <IconButton
          icon="arrowLeft"
          label={text.back}
          className={styles.back}
          onClick={() => navigate(backHref)}
        />
        <Row className={styles.title}>
          <Heading ref={heading} tabIndex={-1} title={subject ?? undefined}>
            <bdi>{subject ?? shared.noSubject}</bdi>
          </Heading>
          <Badge tone={toneOfStatus[status]}>{shared[status]}</Badge>
        </Row>
        {!isPhone && buttons}
        <Row gap={0}>
          {menu.length > 0 && (
            <Menu trigger={<IconButton icon="more" label={text.moreActions} />} groups={menu} />
          )}
          <IconButton
            icon="list"
            label={text.details}
            shortcut="d"
            aria-expanded={isWide ? isSideOpen : undefined}
            onClick={showDetails}
          />
        </Row>
      </Row>
      <Row wraps gap={3} className={styles.facts}>
        <Truncated className={styles.person}>
          <bdi>{nameOfPerson(conversation) ?? shared.visitor}</bdi>
        </Truncated>
        <DueText conversation={conversation} nowMs={nowMs} />
        <Assign
          conversation={conversation}
          mutate={mutate}
          isOffered={offered.has('assign')}
          {...opening('assign')}
        />
        <Priority conversation={conversation} mutate={mutate} {...opening('priority')} />
        <Tags conversation={conversation} mutate={mutate} {...opening('tags')} />
        <Followers conversation={conversation} />
        <Colleagues colleagues={colleagues} />
      </Row>
      {isPhone && buttons}
      <HeaderDialogs
        conversation={conversation}
        actions={actions}
        opened={opened}
        onClose={() => setOpened(null)}
        onMerged={(intoId) => navigate(href.replace(conversation.id, intoId))}
      />
    </Stack>
  )
}

const detailsOf = (href: string): string => href.replace(/(\?|$)/, '/details$1')
