import { useEffect, useState } from 'react'
import { copyText } from '../browser/copy-text.ts'
import { useTexts } from '../texts/language.tsx'
import { Button, type ButtonVariant, IconButton } from './Button.tsx'
import { useToast } from './Toast.tsx'
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
  return {
    icon: isCopied ? ('check' as const) : ('copy' as const),
    copy: () => void copy(),
    told: (
      <span role="status" className="visually-hidden">
        {isCopied ? text.copied : ''}
      </span>
    ),
  }
}

/** Copies a value that stands beside it. */
export function CopyIcon({
  value,
  what,
  isSmall = false,
}: {
  value: string
  what: string
  isSmall?: boolean
}) {
  const text = useTexts(texts)
  const { icon, copy, told } = useCopy(value)
  return (
    <>
      <IconButton icon={icon} label={text.copyOf(what)} isSmall={isSmall} onClick={copy} />
      {told}
    </>
  )
}

export function CopyButton({
  value,
  variant = 'normal',
  label,
}: {
  value: string
  variant?: ButtonVariant
  label?: string
}) {
  const text = useTexts(texts)
  const { icon, copy, told } = useCopy(value)
  return (
    <>
      <Button variant={variant} icon={icon} onClick={copy}>
        {label ?? text.copy}
      </Button>
      {told}
    </>
  )
}
