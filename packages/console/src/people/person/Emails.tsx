import type { EndUser } from '@backline/sdk'
import type { Faults } from '../../data/faults.ts'
import { Button, IconButton } from '../../design/Button.tsx'
import { Checkbox, Fieldset, TextField } from '../../design/Field.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { patched, without } from '../../forms/changes.ts'
import { useTexts } from '../../texts/language.tsx'
import { texts } from '../texts.ts'

type EmailsProps = {
  label: string
  /** The faults of the list and of its items. */
  faults: Faults
  value: EndUser['emails']
  most: number
  onChange(value: EndUser['emails']): void
}

/** E-mail addresses, the main one first. One that is edited is no longer verified. */
export function Emails({ label, faults, value, most, onChange }: EmailsProps) {
  const text = useTexts(texts)
  return (
    <Fieldset legend={label} error={faults.at('')}>
      {value.map(({ address, verified }, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: Addresses have no other identity while they are typed.
        <Stack key={i}>
          <Row align="start">
            <div style={{ flex: 1 }}>
              <TextField
                label={text.addressNumber(i + 1)}
                hideLabel
                inputMode="email"
                autoComplete="off"
                maxLength={254}
                value={address}
                error={faults.at(`/${i}/address`) ?? faults.at(`/${i}`)}
                onChange={(event) =>
                  onChange(patched(value, i, { address: event.target.value, verified: false }))
                }
              />
            </div>
            <IconButton
              icon="trash"
              label={text.removeNamed(address || text.addressNumber(i + 1))}
              onClick={() => onChange(without(value, i))}
            />
          </Row>
          <Checkbox
            label={text.verifiedAddress}
            checked={verified}
            onChange={(event) => onChange(patched(value, i, { verified: event.target.checked }))}
          />
        </Stack>
      ))}
      {value.length < most && (
        <div>
          <Button icon="plus" isSmall onClick={() => onChange([...value, { address: '', verified: false }])}>
            {text.addAddress}
          </Button>
        </div>
      )}
    </Fieldset>
  )
}
