import { useTexts } from '../../texts/language.tsx'
import { Avatar } from '../Avatar.tsx'
import { Badge, type Tone } from '../Badge.tsx'
import { Button, type ButtonLook, IconButton } from '../Button.tsx'
import { Checkbox, Select, TextArea, TextField } from '../Field.tsx'
import { Keys } from '../Keys.tsx'
import { Section } from '../Page.tsx'
import styles from './Showcase.module.css'
import { texts } from './texts.ts'

const looks: ButtonLook[] = ['normal', 'primary', 'danger', 'plain']
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
        <div key={String(isDisabled)} className={styles.row}>
          {looks.map((look) => (
            <Button key={look} look={look} disabled={isDisabled}>
              {isDisabled ? `${text[look]}, ${text.disabled}` : text[look]}
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
            look="normal"
            disabled={isDisabled}
          />
        </div>
      ))}
      <div className={styles.row}>
        <Keys keys="mod k" /> <Keys keys="g i" /> <Keys keys="shift enter" />
      </div>
    </Section>
  )
}

export function Marks() {
  const text = useTexts(texts)
  return (
    <>
      <Section title={text.badges}>
        <div className={styles.row}>
          {tones.map((tone) => (
            <Badge key={tone} tone={tone}>
              {tone}
            </Badge>
          ))}
        </div>
      </Section>
      <Section title={text.people}>
        <div className={styles.row}>
          {people.map((name, i) => (
            <Avatar key={name} name={name} size={20 + 4 * i} presence={presences[i]} />
          ))}
        </div>
      </Section>
    </>
  )
}

export function Fields() {
  const text = useTexts(texts)
  return (
    <Section title={text.fields}>
      <div className={styles.fields}>
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
        <div className={styles.stack}>
          <Checkbox label={text.agree} defaultChecked />
          <Checkbox label={text.disabled} disabled />
        </div>
      </div>
    </Section>
  )
}
