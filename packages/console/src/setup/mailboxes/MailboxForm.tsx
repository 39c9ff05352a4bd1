import type { Mailbox } from '@backline/sdk'
import { optionsOf, useDepartments, withStored } from '../../data/configuration.ts'
import { Select, TextField } from '../../design/Field.tsx'
import { Quiet } from '../../design/Layout.tsx'
import { CheckboxField, Group } from '../../forms/Form.tsx'
import { MultiSelect } from '../../forms/MultiSelect.tsx'
import type { FormProps } from '../../resource/descriptor.ts'
import { useTexts } from '../../texts/language.tsx'
import { BodyField } from '../templates/BodyField.tsx'
import { AutoReplyFields } from './AutoReplyFields.tsx'
import type { MailboxDraft } from './draft.ts'
import { SendingFields } from './SendingFields.tsx'
import { texts } from './texts.ts'

const longestAddress = 254

/** A new mailbox needs its address only: the ways in and out are set up on its page. */
export function MailboxForm(props: FormProps<Mailbox, MailboxDraft>) {
  const { item, field, input, select } = props
  const text = useTexts(texts)
  const departments = useDepartments()
  return (
    <>
      <Group title={text.address}>
        <TextField
          {...input('address')}
          type="email"
          hint={text.addressHint}
          required
          maxLength={longestAddress}
          autoComplete="off"
          placeholder="support@example.com"
          disabled={item !== null}
        />
        <MultiSelect
          {...field('aliases')}
          options={[]}
          hint={text.aliasesHint}
          placeholder=""
          freeText={{ maxLength: longestAddress, most: 20 }}
        />
        <Select
          {...select('department_id')}
          empty={text.noDepartment}
          hint={text.departmentHint}
          options={withStored(optionsOf(departments.data), item?.department_id ?? null, text.archived)}
        />
      </Group>
      <Group title={text.sender}>
        <TextField
          {...input('from_name')}
          isCode
          hint={text.fromNameHint}
          maxLength={200}
          spellCheck={false}
        />
        <BodyField {...field('signature')} hint={text.signatureHint} rows={4} />
      </Group>
      {item === null ? (
        <Quiet as="p">{text.laterHint}</Quiet>
      ) : (
        <>
          <Group title={text.receiving}>
            <MultiSelect
              {...field('trusted_authserv_ids')}
              options={[]}
              hint={text.trustedHint}
              placeholder="mx.example.com"
              freeText={{ maxLength: 255, most: 10 }}
            />
            <CheckboxField {...field('plus_addressing')} hint={text.plusHint} />
            <MultiSelect
              {...field('reply_to_senders')}
              options={[]}
              hint={text.replyToSendersHint}
              placeholder=""
              freeText={{ maxLength: longestAddress, most: 20 }}
            />
          </Group>
          <SendingFields {...props} />
          <AutoReplyFields {...props} />
        </>
      )}
    </>
  )
}
