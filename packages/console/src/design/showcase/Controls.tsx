import { useTexts } from '../../texts/language.tsx'
import { Avatar } from '../Avatar.tsx'
import { Badge, type Tone } from '../Badge.tsx'
import { Button, type ButtonVariant, IconButton } from '../Button.tsx'
import { Checkbox, Select, TextArea, TextField } from '../Field.tsx'
import { KeyHint } from '../KeyHint.tsx'
import { Columns, Notice, Row, Stack } from '../Layout.tsx'
import { Section } from '../Page.tsx'
import { texts } from './texts.ts'

const variants: ButtonVariant[] = ['normal', 'primary', 'danger', 'plain']
const tones: Tone[] = ['neutral', 'info', 'good', 'warn', 'bad']
const presences = ['online', 'busy', 'away', 'offline'] as const
const people = [
  'Ada Lovelace',
  'Grace Hopper',
  'Alan Turing',
  'Emmy Noether',
  'Katherine Johnson',
  'Konrad Zuse',
]

export function Buttons() {
  const text = useTexts(texts)
  return (
    <Section title={text.buttons}>
      {[false, true].map((isDisabled) => (
        <Row key={String(isDisabled)} gap={3} wraps>
          {variants.map((variant) => (
            <Button key={variant} variant={variant} disabled={isDisabled}>
              {isDisabled ? `${text[variant]}, ${text.disabled}` : text[variant]}
            </Button>
          ))}
          <Button icon="plus" disabled={isDisabled}>
            {text.name}
          </Button>
          <IconButton icon="edit" label={text.name} disabled={isDisabled} />
          <IconButton
            icon="search"
            label={text.tooltip}
            shortcut="mod k"
            variant="normal"
            disabled={isDisabled}
          />
        </Row>
      ))}
      <Row gap={3} wraps>
        <KeyHint keys="mod k" /> <KeyHint keys="g i" /> <KeyHint keys="shift enter" />
      </Row>
    </Section>
  )
}

export function Marks() {
  const text = useTexts(texts)
  return (
    <>
      <Section title={text.badges}>
        <Row gap={3} wraps>
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </Row>
      </Section>
      <Section title={text.notices}>
        {(['good', 'warn', 'bad', 'info', 'note', 'plain'] as const).map((tone) => (
          <Notice key={tone} tone={tone}>
            {tone}
          </Notice>
        ))}
      </Section>
      <Section title={text.people}>
        <Row gap={3} wraps>
          {people.map((name, i) => (
            <Avatar key={name} name={name} size={20 + 4 * i} presence={presences[i]} />
          ))}
        </Row>
      </Section>
    </>
  )
}

export function Fields() {
  const text = useTexts(texts)
  return (
    <Section title={text.fields}>
      <Columns gap={4} least="15rem">
        <TextField label={text.name} hint={text.hint} defaultValue="Ada" />
        <TextField label={text.name} error={text.fault} />
        <TextField label={text.disabled} disabled defaultValue="Ada" />
        <Select
          label={text.priority}
          options={[
            { value: 'normal', label: text.normal },
            { value: 'primary', label: text.primary },
          ]}
        />
        <TextArea label={text.note} rows={3} placeholder={text.sample} />
        <Stack gap={3}>
          <Checkbox label={text.agree} defaultChecked />
          <Checkbox label={text.disabled} disabled />
        </Stack>
      </Columns>
    </Section>
  )
}
