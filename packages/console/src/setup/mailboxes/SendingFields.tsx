import type { Mailbox } from '@backline/sdk'
import { Fieldset, RadioCard, Select, TextField } from '../../design/Field.tsx'
import { FieldRow, Group } from '../../forms/Form.tsx'
import { NumberField } from '../../forms/NumberField.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import type { MailboxDraft, RelayDraft } from './draft.ts'
import { texts } from './texts.ts'

const mebibyte = 2 ** 20
/** The port that goes with each encryption, unless another one was typed. */
const usualPorts: Record<RelayDraft['security'], number> = { tls: 465, starttls: 587, none: 25 }

/** How mail goes out. */
export function SendingFields({ draft, set, faults, item, field, select }: FormProps<Mailbox, MailboxDraft>) {
  const text = useTexts(texts)
  const attachments = field('attach_max_bytes')
  return (
    <Group title={text.sending}>
      <Fieldset legend={text.outbound} error={faults.at('/outbound') ?? faults.at('/smtp')}>
        <RadioCard
          name="outbound"
          label={text.smtp}
          hint={text.smtpHint}
          checked={draft.outbound === 'smtp'}
          onChange={() => set({ outbound: 'smtp' })}
        />
        <RadioCard
          name="outbound"
          label={text.client}
          hint={text.clientHint}
          checked={draft.outbound === 'client'}
          onChange={() => set({ outbound: 'client' })}
        />
      </Fieldset>
      {draft.outbound === 'smtp' && (
        <RelayFields
          relay={draft.smtp}
          hasPassword={item?.smtp?.password != null}
          faultOf={(name) => faults.at(`/smtp/${name}`)}
          onChange={(change) => set({ smtp: { ...draft.smtp, ...change } })}
        />
      )}
      <Select
        {...select('quote')}
        options={[
          { value: 'none', label: text.quoteNone },
          { value: 'last', label: text.quoteLast },
        ]}
      />
      <FieldRow>
        <NumberField
          {...attachments}
          hint={text.attachHint}
          required
          min={0}
          max={25}
          step="any"
          value={attachments.value === null ? null : Math.round((attachments.value / mebibyte) * 100) / 100}
          onChange={(value) => attachments.onChange(value === null ? null : Math.round(value * mebibyte))}
        />
        <NumberField {...field('rate_per_minute')} required min={1} max={6_000} />
      </FieldRow>
    </Group>
  )
}

type RelayProps = {
  relay: RelayDraft
  hasPassword: boolean
  faultOf(name: keyof RelayDraft): string | undefined
  onChange(change: Partial<RelayDraft>): void
}

function RelayFields({ relay, hasPassword, faultOf, onChange }: RelayProps) {
  const text = useTexts(texts)
  const isUsualPort = relay.port === null || relay.port === usualPorts[relay.security]
  return (
    <>
      <FieldRow>
        <TextField
          label={text.host}
          error={faultOf('host')}
          required
          maxLength={253}
          spellCheck={false}
          placeholder="smtp.example.com"
          value={relay.host}
          onChange={(event) => onChange({ host: event.target.value })}
        />
        <NumberField
          label={text.port}
          error={faultOf('port')}
          required
          min={1}
          max={65_535}
          value={relay.port}
          onChange={(port) => onChange({ port })}
        />
      </FieldRow>
      <Select
        label={text.security}
        error={faultOf('security')}
        options={[
          { value: 'tls', label: text.tls },
          { value: 'starttls', label: text.starttls },
          { value: 'none', label: text.noSecurity },
        ]}
        value={relay.security}
        onChange={({ target }) => {
          const security = target.value as RelayDraft['security']
          onChange({ security, ...(isUsualPort && { port: usualPorts[security] }) })
        }}
      />
      <FieldRow>
        <TextField
          label={text.username}
          error={faultOf('username')}
          maxLength={255}
          autoComplete="off"
          spellCheck={false}
          value={relay.username}
          onChange={(event) => onChange({ username: event.target.value })}
        />
        <TextField
          label={text.password}
          error={faultOf('password')}
          hint={text.passwordHint}
          type="password"
          maxLength={1_000}
          autoComplete="new-password"
          placeholder={hasPassword ? text.passwordKept : ''}
          value={relay.password}
          onChange={(event) => onChange({ password: event.target.value })}
        />
      </FieldRow>
    </>
  )
}
