import { type RefObject, useRef, useState } from 'react'

export type TypedList = {
  field: RefObject<HTMLTextAreaElement | null>
  isOpen: boolean
  onOpen(): void
  onClose(): void
  /** Gets what was typed into the search, if nothing was chosen. */
  onTyped(typed: string): void
}

/**
 * The state of a list that a character at the start of a word opens.
 * @param isText whether what is typed belongs to the message, because nothing in the list is meant
 */
export function useTypedList(
  { field, isOpen, onOpen, onClose, onTyped }: TypedList,
  isText: (typed: string) => boolean,
) {
  const [query, setQuery] = useState('')
  const isChosen = useRef(false)
  const close = (typed: string) => {
    setQuery('')
    onClose()
    if (!isChosen.current) onTyped(typed)
    isChosen.current = false
  }
  return {
    query,
    chosen() {
      isChosen.current = true
    },
    picker: {
      isOpen,
      finalFocus: field,
      onOpenChange: (opens: boolean) => (opens ? onOpen() : close(query)),
      onSearch: (typed: string) => (isText(typed) ? close(typed) : setQuery(typed)),
    },
  }
}
