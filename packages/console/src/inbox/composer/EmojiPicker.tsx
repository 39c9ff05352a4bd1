import { type RefObject, useState } from 'react'
import { readDataFile } from '../../browser/data-file.ts'
import { IconButton } from '../../design/Button.tsx'
import { Picker } from '../../design/Picker.tsx'
import { useToast } from '../../design/Toast.tsx'
import { reasonOf } from '../../texts/faults.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import emojiFile from './emoji.json?url'
import { texts } from './texts.ts'

/** An emoji with its names, which also find it. */
type Emoji = [character: string, en: string, de: string]

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
    readDataFile<Emoji[]>(emojiFile).then(setAll, (error) =>
      toast.failed({ title: text.emojiFailed, detail: reasonOf(error) }),
    )
  }
  return (
    <Picker
      trigger={<IconButton isSmall icon="smile" label={text.emoji} />}
      title={text.findEmoji}
      options={
        all?.map(([character, en, de]) => ({
          id: character,
          label: language === 'de' ? de : en,
          keywords: `${en} ${de}`,
          picture: <span aria-hidden="true">{character}</span>,
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
