import type { CreateIdentityKeyBody, IdentityKey } from '@backline/sdk'
import { useState } from 'react'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Select, TextArea, TextField } from '../../design/Field.tsx'
import { Row, Stack } from '../../design/Layout.tsx'
import { textOrNull } from '../../forms/changes.ts'
import type { FormProps, ResourceDescriptor } from '../../resource/descriptor.ts'
import { ResourceList } from '../../resource/ResourceList.tsx'
import { CreateButton } from '../../resource/ResourcePage.tsx'
import { useTexts } from '../../texts/language.tsx'
import { SecretDialog } from '../shared/Secret.tsx'
import styles from './Keys.module.css'
import { texts } from './texts.ts'

const algorithms = ['HS256', 'RS256', 'ES256', 'EdDSA'] as const

type IdentityKeyDraft = {
  name: string
  algorithm: (typeof algorithms)[number]
  public_key: string
  issuer: string
  audience: string
}

/** A JWK is sent as an object, PEM as a text. */
function publicKeyOf(value: string): CreateIdentityKeyBody['public_key'] {
  if (!value.trim().startsWith('{')) return textOrNull(value)
  try {
    return JSON.parse(value)
  } catch {
    return value
  }
}

export function IdentityKeys() {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const [opened, setOpened] = useState<string | null>(null)
  const [secret, setSecret] = useState<string | null>(null)
  const resource: ResourceDescriptor<IdentityKey, IdentityKeyDraft> = {
    path: 'identity_keys',
    scope: 'identity_keys:write',
    icon: 'shield',
    api: backline.identityKeys,
    texts: {
      title: text.identityKeys,
      intro: text.identityIntro,
      create: text.createIdentity,
      emptyHint: text.emptyIdentityHint,
      removeHint: text.removeText,
    },
    nameOf: ({ name }) => name,
    searchText: ({ id, name, issuer, audience }) => `${id} ${name} ${issuer ?? ''} ${audience ?? ''}`,
    columns: [
      {
        name: 'name',
        label: text.name,
        cell: ({ id, name }) => (
          <Stack as="span" gap="half">
            <strong>{name}</strong> <code>{id}</code>
          </Stack>
        ),
      },
      { name: 'algorithm', label: text.algorithm, cell: ({ algorithm }) => <code>{algorithm}</code> },
      { name: 'issuer', label: text.issuer, cell: ({ issuer }) => issuer ?? text.any },
      { name: 'audience', label: text.audience, cell: ({ audience }) => audience ?? text.any },
      {
        name: 'created',
        label: text.created,
        cell: ({ created_at: at }) => <When at={at} />,
        sortBy: ({ created_at: at }) => at,
      },
    ],
    draftOf: (key) => ({
      name: key?.name ?? '',
      algorithm: key?.algorithm ?? 'HS256',
      public_key: key?.public_key ?? '',
      issuer: key?.issuer ?? '',
      audience: key?.audience ?? '',
    }),
    bodyOf: ({ name, algorithm, public_key, issuer, audience }) => ({
      name: name.trim(),
      algorithm,
      ...(algorithm !== 'HS256' && { public_key: publicKeyOf(public_key) }),
      issuer: textOrNull(issuer.trim()),
      audience: textOrNull(audience.trim()),
    }),
    labels: {
      name: text.name,
      algorithm: text.algorithm,
      public_key: text.publicKey,
      issuer: text.issuer,
      audience: text.audience,
    },
    form: IdentityKeyForm,
    hasArchive: false,
    onCreated: (made) => 'secret' in made && setSecret(made.secret as string | null),
  }
  return (
    <Stack gap={4}>
      <Row gap={3} wraps align="start" justify="between" className={styles.head}>
        <p>{text.identityIntro}</p>
        <CreateButton resource={resource} onCreate={() => setOpened('new')} />
      </Row>
      <ResourceList resource={resource} opened={opened} onOpen={setOpened} />
      <SecretDialog title={text.identitySecretTitle} secret={secret} onClose={() => setSecret(null)}>
        <p>{text.identitySecretNote}</p>
      </SecretDialog>
    </Stack>
  )
}

function IdentityKeyForm({ draft, item, input, select }: FormProps<IdentityKey, IdentityKeyDraft>) {
  const text = useTexts(texts)
  return (
    <>
      <TextField {...input('name')} hint={text.signerHint} autoComplete="off" />
      {item === null && (
        <Select
          {...select('algorithm')}
          options={algorithms.map((value) => ({
            value,
            label: value === 'HS256' ? text.hs256 : text.ownKey(value),
          }))}
        />
      )}
      {item === null && draft.algorithm !== 'HS256' && (
        <TextArea {...input('public_key')} hint={text.publicKeyHint} isCode rows={6} spellCheck={false} />
      )}
      <TextField {...input('issuer')} hint={text.issuerHint} autoComplete="off" />
      <TextField {...input('audience')} hint={text.audienceHint} autoComplete="off" />
    </>
  )
}
