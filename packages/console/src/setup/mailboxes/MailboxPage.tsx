import type { Mailbox } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Notice, Row } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Menu } from '../../design/Menu.tsx'
import { Page, Section } from '../../design/Page.tsx'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { useRemoval } from '../../resource/use-removal.tsx'
import { useTexts } from '../../texts/language.tsx'
import { MailboxFacts } from './MailboxFacts.tsx'
import { MailboxState } from './MailboxState.tsx'
import { useMailboxResource } from './resource.ts'
import { stepTexts } from './step-texts.ts'
import { TestIn } from './TestIn.tsx'
import { TestOut } from './TestOut.tsx'
import { texts } from './texts.ts'
import { WayIn } from './WayIn.tsx'
import { WayOut } from './WayOut.tsx'

const mailboxes = ['mailboxes']

/** A mailbox, and how it is connected step by step. */
export function MailboxPage({ id }: { id: string }) {
  const { backline } = useEnvironment()
  const query = useQuery({
    queryKey: [...mailboxes, id],
    queryFn: () => backline.mailboxes.retrieve(id),
  })
  return <Loaded query={query}>{(mailbox) => <Content mailbox={mailbox} />}</Loaded>
}

function Content({ mailbox }: { mailbox: Mailbox }) {
  const text = useTexts(texts)
  const step = useTexts(stepTexts)
  const { backline, can } = useEnvironment()
  const [, navigate] = useLocation()
  const [isEditing, setEditing] = useState(false)
  const { id, address, status, archived, outbound } = mailbox
  const isPaused = status === 'paused'
  const setStatus = useWrite({
    run: (next: Mailbox['status']) => backline.mailboxes.update(id, { status: next }),
    refresh: [mailboxes],
    failed: text.notChanged,
  })
  const resource = useMailboxResource()
  const leave = () => navigate('/mailboxes')
  const removal = useRemoval(resource, leave)
  const mayWrite = can('mailboxes:write')
  const edit = () => setEditing(true)
  useCommands(mayWrite ? [{ label: text.edit, group: address, icon: 'edit', shortcut: 'e', run: edit }] : [])
  return (
    <Page
      title={address}
      intro={
        <Row as="span" wraps>
          <Link href="/mailboxes">{text.title}</Link>
          <MailboxState mailbox={mailbox} />
        </Row>
      }
      actions={
        mayWrite && (
          <>
            <Button icon="edit" onClick={edit}>
              {text.edit}
            </Button>
            <Button
              icon={isPaused ? 'play' : 'pause'}
              disabled={setStatus.isPending}
              onClick={() => setStatus.mutate(isPaused ? 'enabled' : 'paused')}
            >
              {isPaused ? text.resumeSending : text.pauseSending}
            </Button>
            <Menu
              trigger={<IconButton icon="more" variant="normal" label={text.moreActions} />}
              groups={[removal.itemsFor(mailbox)]}
            />
          </>
        )
      }
    >
      {(archived || isPaused) && (
        <Notice tone="warn" icon="warning">
          {archived ? text.archivedHint : text.pausedHint}
        </Notice>
      )}
      <MailboxFacts mailbox={mailbox} />
      <Section title={step.wayIn}>
        <WayIn mailbox={mailbox} />
      </Section>
      {can('inbound_emails:read') && (
        <Section title={step.testIn}>
          <TestIn mailbox={mailbox} />
        </Section>
      )}
      <Section title={step.wayOut} actions={mayWrite && <Button onClick={edit}>{step.changeSending}</Button>}>
        <WayOut mailbox={mailbox} />
      </Section>
      {mayWrite && outbound === 'smtp' && (
        <Section title={step.testOut}>
          <TestOut mailbox={mailbox} />
        </Section>
      )}
      {isEditing && (
        <ResourcePanel
          resource={resource}
          item={mailbox}
          onClose={() => setEditing(false)}
          onRemoved={leave}
        />
      )}
      {removal.dialog}
    </Page>
  )
}
