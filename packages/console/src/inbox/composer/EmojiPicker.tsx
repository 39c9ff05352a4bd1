import { type RefObject, useState } from 'react'
import { IconButton } from '../../design/Button.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import type { Emoji } from './emoji.ts'
import { texts } from './texts.ts'

type EmojiPickerProps = {
  field: RefObject<HTMLTextAreaElement | null>
  onInsert(character: string): void
}

/** Emoji by their names. The list is loaded when it is first opened. */
export function EmojiPicker({ field, onInsert }: EmojiPickerProps) {
  const text = useTexts(texts)
  const toast = useToast()
  const { language } = useLanguage()
  const [isOpen, setOpen] = useState(false)
  const [all, setAll] = useState<Emoji[] | null>(null)
  const change = (opens: boolean) => {
    setOpen(opens)
    if (!opens || all) return
    import('./emoji.ts').then(
      ({ emoji }) => setAll(emoji),
      (error) => toast.failed({ title: text.emojiFailed, detail: reasonOf(error) }),
    )
  }
  return (
    <Picker
      trigger={<IconButton isSmall icon="smile" label={text.emoji} />}
      title={text.findEmoji}
      options={
        all?.map((each) => ({
          id: each.character,
          label: each[language],
          keywords: `${each.en} ${each.de}`,
          picture: <span aria-hidden="true">{each.character}</span>,
        })) ?? []
      }
      isOpen={isOpen}
      onOpenChange={change}
      finalFocus={field}
      onSelect={onInsert}
      isLoading={all === null}
      empty={text.noEmoji}
    />
  )
}
