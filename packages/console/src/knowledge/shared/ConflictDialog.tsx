import { useId, useState } from 'react'
import { Button } from '../../design/Button.tsx'
import { Dialog } from '../../design/Dialog.tsx'
import { Fieldset, Radio } from '../../design/Field.tsx'
import { Row } from '../../design/Layout.tsx'
import { useTexts } from '../../texts/language.tsx'
import { Comparison } from './Comparison.tsx'
import { texts } from './texts.ts'

type Conflict = { name: string; label: string; mine: string; theirs: string }

type ConflictDialogProps = {
  conflicts: Conflict[]
  isOpen: boolean
  onClose(): void
  onResolve(mine: ReadonlySet<string>): void
}

/** Shows what two people have written in the same field, and lets the writer choose. */
export function ConflictDialog({ conflicts, isOpen, onClose, onResolve }: ConflictDialogProps) {
  const text = useTexts(texts)
  const id = useId()
  const [theirs, setTheirs] = useState<ReadonlySet<string>>(new Set())
  const choose = (name: string, isTheirs: boolean) =>
    setTheirs((now) => new Set(isTheirs ? [...now, name] : [...now].filter((each) => each !== name)))
  return (
    <Dialog
      isOpen={isOpen}
      onClose={onClose}
      title={text.conflictTitle}
      width="wide"
      actions={
        <Button
          variant="primary"
          onClick={() =>
            onResolve(new Set(conflicts.map(({ name }) => name).filter((name) => !theirs.has(name))))
          }
        >
          {text.go}
        </Button>
      }
    >
      <p>{text.conflictIntro}</p>
      {conflicts.map(({ name, label, mine, theirs: other }) => (
        <Fieldset key={name} legend={label}>
          <Comparison
            caption={label}
            before={{ label: text.theirs, text: other || `(${text.empty})` }}
            after={{ label: text.mine, text: mine || `(${text.empty})` }}
          />
          <Row gap={4} wraps>
            {[true, false].map((isTheirs) => (
              <Radio
                key={String(isTheirs)}
                name={`${id}-${name}`}
                label={isTheirs ? text.takeTheirs : text.keepMine}
                checked={theirs.has(name) === isTheirs}
                onChange={() => choose(name, isTheirs)}
              />
            ))}
          </Row>
        </Fieldset>
      ))}
    </Dialog>
  )
}
