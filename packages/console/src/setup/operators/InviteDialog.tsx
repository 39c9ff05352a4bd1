import type { Invitation, InvitationWithUrl, Operator } from '@backline/sdk'
import { useState } from 'react'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { usePages } from '../../data/lists.ts'
import { useEnvironmentNow } from '../../data/now.ts'
import { useWrite } from '../../data/write.ts'
import { Badge, type Tone } from '../../design/Badge.tsx'
import { Button } from '../../design/Button.tsx'
import { CopyButton } from '../../design/Copy.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Fault, Select } from '../../design/Field.tsx'
import { Notice, Quiet, Row, Stack } from '../../design/Layout.tsx'
import { List } from '../../design/Lists.tsx'
import { Table } from '../../design/Table.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './invitation-texts.ts'
import styles from './Operators.module.css'

const hour = 3_600
const lifetimes = [hour, 24 * hour, 72 * hour, 168 * hour].map(String)
const usualLifetime = String(72 * hour)

const tones: Record<Invitation['status'], Tone> = {
  pending: 'info',
  accepted: 'good',
  revoked: 'neutral',
  expired: 'neutral',
}

/** Makes a link with which an operator signs in, and shows the invitations so far. */
export function InviteDialog({ operator: { id, name }, onClose }: { operator: Operator; onClose(): void }) {
  const text = useTexts(texts)
  const { duration } = useFormats()
  const nowMs = useEnvironmentNow()
  const { backline, name: environment } = useEnvironment()
  const [lifetime, setLifetime] = useState(usualLifetime)
  const [made, setMade] = useState<InvitationWithUrl | null>(null)
  const key = ['invitations', id]
  const query = usePages<Invitation>(key, (cursor) =>
    backline.operators.invitations.list(id, { limit: 10, cursor }),
  )
  const invite = useWrite<void, InvitationWithUrl>({
    run: () => backline.operators.invite(id, { expires_in_seconds: Number(lifetime) }),
    refresh: [key],
    onDone: setMade,
  })
  const revoke = useWrite({
    run: (invitation: Invitation) => backline.invitations.revoke(invitation.id),
    refresh: [key],
    failed: text.notRevoked,
    onDone: () => setMade(null),
  })
  const statusOf = ({ status, expires_at }: Invitation): Invitation['status'] =>
    status === 'pending' && Date.parse(expires_at) <= nowMs ? 'expired' : status
  const isPending = (each: Invitation) => statusOf(each) === 'pending'
  const known = query.items.find((each) => each.id === made?.id)
  const usable = known && !isPending(known) ? null : made
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={text.inviteTitle(name)}
      actions={
        <>
          <Button onClick={onClose}>{text.close}</Button>
          <Button variant="primary" disabled={invite.isPending} onClick={() => invite.mutate()}>
            {query.items.some(isPending) ? text.inviteAgain : text.makeLink}
          </Button>
        </>
      }
    >
      <Stack gap={4}>
        <p>{environment === 'live' ? text.opensBoth : text.opensTest}</p>
        <Select
          label={text.validFor}
          options={lifetimes.map((value) => ({ value, label: duration(Number(value)) }))}
          value={lifetime}
          onChange={(event) => setLifetime(event.target.value)}
        />
        <Fault>{invite.error && `${text.notInvited}: ${reasonOf(invite.error)}`}</Fault>
        {usable && (
          <Notice tone="good" role="status">
            <Stack gap={3}>
              <p>
                {text.send}{' '}
                {environment === 'live' && !usable.environments.includes('test') && text.opensLive}
              </p>
              <Notice as="code" tone="plain" className={styles.link}>
                {usable.url}
              </Notice>
              <Row>
                <CopyButton value={usable.url} label={text.copyLink} />
              </Row>
            </Stack>
          </Notice>
        )}
        <List query={query} empty={<Quiet as="p">{text.noneYet}</Quiet>}>
          <Table<Invitation>
            caption={text.invitations}
            rows={query.items}
            keyOf={(each) => each.id}
            columns={[
              {
                name: 'status',
                label: text.status,
                cell: (each) => <Badge tone={tones[statusOf(each)]}>{text[statusOf(each)]}</Badge>,
              },
              { name: 'made', label: text.created, cell: ({ created_at: at }) => <When at={at} /> },
              {
                name: 'ended',
                label: text.usedOrExpires,
                cell: (each) => <When at={each.accepted_at ?? each.revoked_at ?? each.expires_at} />,
              },
              {
                name: 'actions',
                label: <span className="visually-hidden">{text.actions}</span>,
                align: 'end',
                cell: (each) =>
                  isPending(each) && (
                    <Button disabled={revoke.isPending} onClick={() => revoke.mutate(each)}>
                      {text.revoke}
                    </Button>
                  ),
              },
            ]}
          />
        </List>
      </Stack>
    </Dialog>
  )
}
