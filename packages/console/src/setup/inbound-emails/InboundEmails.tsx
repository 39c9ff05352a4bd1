import type { InboundEmail } from '@backline/sdk'
import { useLocation, useSearch } from 'wouter'
import { When } from '../../app/Times.tsx'
import { useParams } from '../../app/use-params.ts'
import { useEveryMailbox, useMailboxNames } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useLiveEvents } from '../../data/live.tsx'
import { useSettled } from '../../data/settled.ts'
import { Select, TextField } from '../../design/Field.tsx'
import { FilterRow, Stack, Truncated } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Page } from '../../design/Page.tsx'
import { EmptyState } from '../../design/States.tsx'
import { Table } from '../../design/Table.tsx'
import { addressText, isAddress } from '../../mail/addresses.ts'
import { InboundStatus, useInboundStatuses } from '../../mail/InboundStatus.tsx'
import { mailTexts, wordOf } from '../../mail/texts.ts'
import { useTexts } from '../../texts/language.tsx'
import { InboundEmailPanel } from './InboundEmailPanel.tsx'
import styles from './InboundEmails.module.css'
import { texts } from './texts.ts'

const statuses = ['failed', 'ignored', 'created', 'threaded', 'bounce', 'received'] as const
const failedFirst = 'failed,ignored'

/** Mails that arrived: first those that made nothing. */
export function InboundEmails({ id }: { id: string | undefined }) {
  const text = useTexts(texts)
  const mail = useTexts(mailTexts)
  const { backline } = useEnvironment()
  const [, navigate] = useLocation()
  const search = useSearch()
  const [values, set] = useParams(['status', 'mailbox', 'from'])
  const mailboxes = useEveryMailbox()
  const mailboxName = useMailboxNames()
  const words = useInboundStatuses()
  const typed = useSettled(values.from.trim())
  const from = isAddress(typed) ? typed : undefined
  const status = values.status === 'all' ? undefined : values.status || failedFirst
  const mailboxId = values.mailbox || undefined
  const query = usePages<InboundEmail>(
    ['inbound_emails', 'list', { status, mailboxId, from }],
    (cursor, signal) =>
      backline.inboundEmails.list({ limit: 50, cursor, status, mailbox_id: mailboxId, from }, { signal }),
  )
  useLiveEvents((event) => {
    if (event.type === 'inbound_email.processed') void query.refetch()
  })
  const suffix = search && `?${search}`
  return (
    <Page title={text.title} intro={text.intro}>
      <Stack gap={3}>
        <FilterRow>
          <TextField
            label={text.fromAddress}
            hideLabel
            type="search"
            placeholder={text.fromAddress}
            value={values.from}
            onChange={(event) => set({ from: event.target.value })}
          />
          <Select
            label={text.status}
            hideLabel
            value={values.status}
            onChange={(event) => set({ status: event.target.value })}
            empty={text.failedAndIgnored}
            options={[
              { value: 'all', label: text.all },
              ...statuses.map((value) => ({ value, label: words[value] })),
            ]}
          />
          <Select
            label={mail.mailbox}
            hideLabel
            value={values.mailbox}
            onChange={(event) => set({ mailbox: event.target.value })}
            empty={text.anyMailbox}
            options={(mailboxes.data ?? []).map((each) => ({ value: each.id, label: each.address }))}
          />
        </FilterRow>
        <List
          query={query}
          empty={
            status === undefined ? (
              <EmptyState icon="inbox" title={text.none}>
                <p>{text.noneHint}</p>
              </EmptyState>
            ) : (
              <EmptyState icon="check" title={values.status === '' ? text.noneFailed : text.none} />
            )
          }
        >
          <Table<InboundEmail>
            caption={text.title}
            rows={query.items}
            keyOf={(email) => email.id}
            linkOf={(email) => `/inbound_emails/${email.id}${suffix}`}
            columns={[
              {
                name: 'mail',
                label: text.mail,
                cell: ({ from: sender, subject }) => (
                  <Stack as="span" gap="half">
                    <Truncated lines={2}>{sender ? addressText(sender) : mail.unknownSender}</Truncated>
                    <small>{subject ?? mail.noSubject}</small>
                  </Stack>
                ),
              },
              {
                name: 'status',
                label: text.status,
                cell: (email) => (
                  <Stack as="span" gap="half" className={email.reason !== null && styles.reason}>
                    <span>
                      <InboundStatus email={email} />
                    </span>
                    {email.reason !== null && <small>{wordOf(mail, email.reason)}</small>}
                  </Stack>
                ),
              },
              {
                name: 'mailbox',
                label: mail.mailbox,
                cell: ({ mailbox_id }) => mailboxName(mailbox_id) ?? (mailbox_id === null ? '–' : '…'),
              },
              { name: 'arrived', label: text.arrived, cell: ({ created_at: at }) => <When at={at} /> },
            ]}
          />
        </List>
      </Stack>
      {id !== undefined && (
        <InboundEmailPanel key={id} id={id} onClose={() => navigate(`/inbound_emails${suffix}`)} />
      )}
    </Page>
  )
}
