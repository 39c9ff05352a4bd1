import { useEffect, useState } from 'react'
import { Button, IconButton } from '../../design/Button.tsx'
import { useToast } from '../../design/Toast.tsx'
import { useTexts } from '../../texts/language.tsx'
import { copyText } from './copy-text.ts'
import { texts } from './texts.ts'

const shownMs = 2_000

function useCopy(value: string) {
  const text = useTexts(texts)
  const toast = useToast()
  const [isCopied, setCopied] = useState(false)
  useEffect(() => {
    if (!isCopied) return
    const timer = setTimeout(() => setCopied(false), shownMs)
    return () => clearTimeout(timer)
  }, [isCopied])
  const copy = async () => {
    const done = await copyText(value)
    setCopied(done)
    if (!done) toast.failed({ title: text.copyFailed })
  }
  return { isCopied, copy: () => void copy() }
}

const Told = ({ isCopied }: { isCopied: boolean }) => {
  const text = useTexts(texts)
  return (
    <span role="status" className="visually-hidden">
      {isCopied ? text.copied : ''}
    </span>
  )
}

/** Copies a value that stands beside it. */
export function CopyIcon({ value, what }: { value: string; what: string }) {
  const text = useTexts(texts)
  const { isCopied, copy } = useCopy(value)
  return (
    <>
      <IconButton icon={isCopied ? 'check' : 'copy'} label={text.copyOf(what)} onClick={copy} />
      <Told isCopied={isCopied} />
    </>
  )
}

export function CopyButton({ value, variant }: { value: string; variant?: 'normal' | 'primary' }) {
  const text = useTexts(texts)
  const { isCopied, copy } = useCopy(value)
  return (
    <>
      <Button variant={variant ?? 'normal'} icon={isCopied ? 'check' : 'copy'} onClick={copy}>
        {isCopied ? text.copied : text.copy}
      </Button>
      <Told isCopied={isCopied} />
    </>
  )
}
