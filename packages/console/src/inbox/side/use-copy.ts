import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { texts } from './texts.ts'

/** Copies a text, and says whether it worked. */
export function useCopy(): (value: string) => void {
  const text = useTexts(texts)
  const toast = useToast()
  return (value) =>
    void navigator.clipboard.writeText(value).then(
      () => toast.done({ title: text.copied }),
      () => toast.failed({ title: text.notCopied }),
    )
}
