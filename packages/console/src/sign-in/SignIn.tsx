import { ApiError } from '@backline/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { serverUrl } from '../data/client.ts'
import { Faults } from '../data/faults.ts'
import { callConsole } from '../data/session.ts'
import { Button, buttonClass } from '../design/Button.tsx'
import { TextField } from '../design/Field.tsx'
import { Card, Notice, Quiet, Stack } from '../design/Layout.tsx'
import { useTitle } from '../design/title.ts'
import { reasonOf } from '../texts/faults.ts'
import { useTexts } from '../texts/language.tsx'
import { hasSessionEnded, keepPage } from './arrival.ts'
import styles from './SignIn.module.css'
import { texts } from './texts.ts'

/** A refusal of an overloaded server uses no link up. */
const mostRetries = 3

const errors = ['denied', 'expired', 'state', 'not_verified', 'no_operator', 'unavailable'] as const

/**
 * Takes `#link=…` of a one-time link, or `#error=…` of the provider, out of the address, so that no history has it. The
 * fragment of a page stays.
 */
function takeFragment(): URLSearchParams {
  const fragment = new URLSearchParams(location.hash.slice(1))
  if (fragment.has('link') || fragment.has('error')) history.replaceState(null, '', location.pathname)
  return fragment
}

export function SignIn() {
  const text = useTexts(texts)
  const [fragment] = useState(takeFragment)
  useTitle('page', text.signIn)
  const [path] = useLocation()
  useEffect(() => keepPage(path + location.search + location.hash), [path])
  const token = fragment.get('link')
  const error = errors.find((each) => each === fragment.get('error'))
  return (
    <main className={styles.page}>
      <Card gap={4} className={styles.card}>
        <img src="./icon.svg" alt="" width="40" height="40" />
        {token ? (
          <ByLink token={token} />
        ) : (
          <Ways message={error ? text[error] : hasSessionEnded() ? text.ended : undefined} />
        )}
      </Card>
    </main>
  )
}

/** Signs in at once. The link of the first administrator asks for a name and an address first. */
function ByLink({ token }: { token: string }) {
  const text = useTexts(texts)
  const cache = useQueryClient()
  const signIn = useMutation({
    mutationFn: (person: { name?: string; email?: string }) =>
      callConsole('POST', 'sign_in/link', { token, ...person }),
    onSuccess: () => cache.invalidateQueries({ queryKey: ['session'] }),
    retry: (failures, error) => error instanceof ApiError && error.status === 503 && failures < mostRetries,
  })
  const { mutate } = signIn
  const isSent = useRef(false)
  useEffect(() => {
    if (isSent.current) return // the link works once
    isSent.current = true
    mutate({})
  }, [mutate])
  const status = signIn.error instanceof ApiError ? signIn.error.status : null
  if (status === 422)
    return (
      <FirstAdministrator
        faults={signIn.variables?.name === undefined ? new Faults() : Faults.of(signIn.error)}
        onSubmit={mutate}
      />
    )
  if (status === 401) return <Ways message={isRevoked(signIn.error) ? text.linkRevoked : text.linkFailed} />
  if (signIn.isError) return <Ways message={reasonOf(signIn.error)} />
  return <p role="status">{text.signingIn}</p>
}

const isRevoked = (error: unknown): boolean => error instanceof ApiError && error.params.reason === 'revoked'

function FirstAdministrator({
  faults,
  onSubmit,
}: {
  faults: Faults
  onSubmit(person: { name: string; email: string }): void
}) {
  const text = useTexts(texts)
  function submit(event: FormEvent<HTMLFormElement>): void {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    onSubmit({ name: String(form.get('name')), email: String(form.get('email')) })
  }
  return (
    <>
      <h1>{text.welcome}</h1>
      <p>{text.who}</p>
      <Stack as="form" gap={4} onSubmit={submit}>
        <TextField label={text.name} name="name" required autoComplete="name" error={faults.at('/name')} />
        <TextField
          label={text.email}
          name="email"
          type="email"
          required
          autoComplete="email"
          error={faults.at('/email')}
        />
        <Button type="submit" variant="primary">
          {text.start}
        </Button>
      </Stack>
    </>
  )
}

function Ways({ message }: { message: string | undefined }) {
  const text = useTexts(texts)
  const ways = useQuery({
    queryKey: ['sign-in'],
    queryFn: () => callConsole<{ methods: { oidc: boolean }; link_command: string }>('GET', 'sign_in'),
  })
  return (
    <>
      <h1>{text.title}</h1>
      {message && (
        <Notice as="p" tone="bad" role="alert">
          {message}
        </Notice>
      )}
      {ways.data?.methods.oidc && (
        <a className={buttonClass('primary')} href={`${serverUrl}console/api/sign_in/oidc`}>
          {text.byProvider}
        </a>
      )}
      <Quiet as="p">{text.byLink}</Quiet>
      <Notice as="code" tone="plain">
        {ways.data?.link_command ?? 'backline console link'} --operator you@example.com
      </Notice>
      <Quiet as="p">{text.linkHint}</Quiet>
    </>
  )
}
