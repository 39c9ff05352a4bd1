import type { Conversation } from '@backline/sdk'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { useCommand } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useNow } from '../../data/now.ts'
import { ActionDialog } from '../../design/ActionDialog.tsx'
import { Badge } from '../../design/Badge.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { Menu } from '../../design/Menu.tsx'
import { Tooltip } from '../../design/Tooltip.tsx'
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
import { HoldDialog } from './HoldDialog.tsx'
import { MergeDialog } from './MergeDialog.tsx'
import { Priority } from './Priority.tsx'
import { RequiredFieldsDialog } from './RequiredFieldsDialog.tsx'
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
  const Heading = isNarrow ? 'h1' : 'h2'
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusOnOpening(conversation.id, 'heading', heading)
  const { can } = useEnvironment()
  const [isSideOpen, setSideOpen] = useSidePanel()
  const [opened, setOpened] = useState<Opened | null>(null)
  const showDetails = () => (isWide ? setSideOpen(!isSideOpen) : navigate(detailsOf(href)))
  const { mutate, finish, offered, main, rest, resolve, close } = useActions({
    conversation,
    setOpened,
    showDetails,
  })
  const walks = [useCommand('previous_row'), useCommand('next_row')]
  const opening = (name: Opened) => ({
    isOpen: opened === name,
    onOpenChange: (isOpen: boolean) => setOpened(isOpen ? name : null),
  })
  const isTiny = useMedia('(width < 30rem)')
  const shown = isTiny ? main.slice(0, 1) : main
  const inMenu = isTiny ? [...main.slice(1), ...rest] : rest
  const closeDialog = () => setOpened(null)
  return (
    <Stack as="header" gap={1} className={styles.header}>
      <Row>
        <IconButton
          icon="arrowLeft"
          label={text.back}
          className={styles.back}
          onClick={() => navigate(backHref)}
        />
        <div className={styles.title}>
          <Heading ref={heading} tabIndex={-1}>
            <bdi>{conversation.subject ?? shared.noSubject}</bdi>
          </Heading>
          <span>
            <bdi>{nameOfPerson(conversation) ?? shared.visitor}</bdi>
          </span>
        </div>
        {shown.map(({ label, icon, shortcut, run }) => (
          <Tooltip key={label} text={label} shortcut={shortcut}>
            <Button icon={icon} aria-label={label} onClick={run} className={styles.action}>
              <span>{label}</span>
            </Button>
          </Tooltip>
        ))}
        {inMenu.length > 0 && (
          <Menu
            trigger={<IconButton icon="more" label={text.moreActions} />}
            groups={[inMenu.map(({ run, ...item }) => ({ ...item, onSelect: run }))]}
          />
        )}
        {can('conversations:write') && (
          <IconButton
            icon="chevronRight"
            label={text.next}
            shortcut="n"
            disabled={claimNext.isPending}
            onClick={claimNext.run}
            className={styles.next}
          />
        )}
        <IconButton
          icon="list"
          label={text.details}
          shortcut="d"
          aria-expanded={isWide ? isSideOpen : undefined}
          onClick={showDetails}
        />
      </Row>
      <Row wraps className={styles.facts}>
        <Badge tone={toneOfStatus[conversation.status]}>{shared[conversation.status]}</Badge>
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
        {isNarrow && (
          <Row gap={1} className={styles.walk}>
            {walks.map(
              (walk) =>
                walk?.icon && (
                  <IconButton
                    key={walk.label}
                    icon={walk.icon}
                    label={walk.label}
                    onClick={() => walk.run()}
                  />
                ),
            )}
          </Row>
        )}
      </Row>
      {opened === 'hold' && <HoldDialog conversation={conversation} finish={finish} onClose={closeDialog} />}
      {opened === 'resolve' && (
        <RequiredFieldsDialog
          conversation={conversation}
          mutate={mutate}
          action={text.resolve}
          onClose={closeDialog}
          onSaved={resolve}
        />
      )}
      {opened === 'merge' && (
        <MergeDialog
          conversation={conversation}
          mutate={mutate}
          onClose={closeDialog}
          onMerged={(intoId) => {
            closeDialog()
            navigate(href.replace(conversation.id, intoId))
          }}
        />
      )}
      <ActionDialog
        isOpen={opened === 'close'}
        title={text.closeTitle}
        action={text.closeNow}
        isDangerous
        onSubmit={() => {
          closeDialog()
          close()
        }}
        onClose={closeDialog}
      >
        <p>{text.closeWarning}</p>
      </ActionDialog>
    </Stack>
  )
}

const detailsOf = (href: string): string => href.replace(/(\?|$)/, '/details$1')
