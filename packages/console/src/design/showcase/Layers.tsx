import { useState } from 'react'
import { useTexts } from '../../texts/language.tsx'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { TextField } from '../Field.tsx'
import { Row } from '../Layout.tsx'
import { Menu } from '../Menu.tsx'
import { Section } from '../Page.tsx'
import { Popover } from '../Popover.tsx'
import { useToast } from '../Toast.tsx'
import { texts } from './texts.ts'

/** Menus, popovers, dialogs and toasts: all that opens above the page. */
export function Layers() {
  const text = useTexts(texts)
  const toast = useToast()
  const [isPopoverOpen, setPopoverOpen] = useState(false)
  const [form, setForm] = useState<'centre' | 'panel' | null>(null)
  const [isChecked, setChecked] = useState(true)
  return (
    <Section title={text.above}>
      <Row gap={3} wraps>
        <Menu
          trigger={<Button>{text.menu}</Button>}
          groups={[
            [
              { label: text.normal, isChecked, onSelect: () => setChecked(true) },
              { label: text.plain, isChecked: !isChecked, shortcut: 'e', onSelect: () => setChecked(false) },
              { label: text.disabled, isDisabled: true, onSelect: () => undefined },
            ],
            [{ label: text.danger, icon: 'trash', isDangerous: true, onSelect: () => undefined }],
          ]}
        />
        <Popover
          trigger={<Button>{text.popover}</Button>}
          title={text.popover}
          isOpen={isPopoverOpen}
          onOpenChange={setPopoverOpen}
        >
          <TextField label={text.name} hint={text.hint} />
        </Popover>
        <Button onClick={() => setForm('centre')}>{text.dialog}</Button>
        <Button onClick={() => setForm('panel')}>{text.panel}</Button>
        <Button onClick={() => toast.done({ title: text.saved, detail: text.sample })}>{text.toast}</Button>
        <Button
          onClick={() =>
            toast.failed({
              title: text.notSaved,
              detail: text.reason,
              action: { label: text.undo, run: () => toast.done({ title: text.saved }) },
            })
          }
        >
          {text.failure}
        </Button>
      </Row>
      <Dialog
        isOpen={form !== null}
        onClose={() => setForm(null)}
        title={form === 'panel' ? text.panel : text.dialog}
        form={form ?? 'centre'}
        actions={
          <Button variant="primary" onClick={() => setForm(null)}>
            {text.close}
          </Button>
        }
      >
        <p>{text.sample}</p>
        <TextField label={text.name} hint={text.hint} />
      </Dialog>
    </Section>
  )
}
