import type { EndUser } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCommands } from '../../app/commands.tsx'
import { When } from '../../app/Times.tsx'
import { useEnvironment } from '../../data/environment.tsx'
import { Button, IconButton } from '../../design/Button.tsx'
import { Copied } from '../../design/Code.tsx'
import { Notice, Row, Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Menu, type MenuItem } from '../../design/Menu.tsx'
import { DescriptionList, Page, Section } from '../../design/Page.tsx'
import { nameOfEndUser, useEndUserQuery } from '../../inbox/model/people.ts'
import { NewConversationButton } from '../../inbox/new/NewConversationButton.tsx'
import { Metadata } from '../../inbox/side/details/Details.tsx'
import { CustomFields } from '../../inbox/side/fields/CustomFields.tsx'
import { Block } from '../../inbox/side/person/Block.tsx'
import { usePersonFacts, Verified } from '../../inbox/side/person/facts.tsx'
import { texts as sideTexts } from '../../inbox/side/person/texts.ts'
import { usePrivacy } from '../../inbox/side/person/use-privacy.tsx'
import { ResourcePanel } from '../../resource/ResourcePanel.tsx'
import { useTexts } from '../../texts/language.tsx'
import { pageTexts } from '../../texts/pages.ts'
import { MergeDialog } from '../merge/MergeDialog.tsx'
import { RelatedConversations } from '../shared/RelatedConversations.tsx'
import { TwoColumns } from '../shared/TwoColumns.tsx'
import { texts } from '../texts.ts'
import { Marks } from './Marks.tsx'
import { usePersonResource } from './resource.tsx'
import { Sessions } from './Sessions.tsx'

/** Everything about an end user. */
export function PersonPage({ id }: { id: string }) {
  const query = useQuery(useEndUserQuery()(id))
  return (
    <Loaded query={query} lines={9}>
      {(person) => <Known person={person} />}
    </Loaded>
  )
}

type Opened = 'edit' | 'merge' | 'block'

function Known({ person }: { person: EndUser }) {
  const text = useTexts(texts)
  const side = useTexts(sideTexts)
  const labels = useTexts(pageTexts)
  const { backline, can } = useEnvironment()
  const [, navigate] = useLocation()
  const [opened, setOpened] = useState<Opened | null>(null)
  const close = () => setOpened(null)
  const resource = usePersonResource()
  const privacy = usePrivacy(person)
  const { id, status } = person
  const isThere = status === 'active' || status === 'blocked'
  const mayWrite = can('end_users:write') && isThere
  const name = nameOfEndUser(person) ?? text.noName
  const edit = () => setOpened('edit')
  const merge: MenuItem = { label: text.mergeWith, icon: 'merge', onSelect: () => setOpened('merge') }
  const block: MenuItem = {
    label: side.block,
    icon: 'shield',
    isDangerous: true,
    onSelect: () => setOpened('block'),
  }
  const groups = [mayWrite ? [merge] : [], mayWrite && status === 'active' ? [block] : [], privacy.items]
  useCommands(
    mayWrite
      ? [
          { label: text.edit, group: name, icon: 'edit', shortcut: 'e', run: edit },
          { label: merge.label, group: name, icon: 'merge', shortcut: 'm', run: merge.onSelect },
        ]
      : [],
  )
  return (
    <Page
      title={name}
      intro={
        <Row as="span" wraps>
          <Link href="/">{labels.people}</Link>
          {person.verified_at && <Verified label={side.identityVerified} isWritten />}
          <Marks person={person} />
        </Row>
      }
      actions={
        isThere && (
          <>
            <NewConversationButton person={person} />
            {mayWrite && (
              <Button icon="edit" onClick={edit}>
                {text.edit}
              </Button>
            )}
            {groups.some((items) => items.length > 0) && (
              <Menu
                trigger={<IconButton icon="more" variant="normal" label={text.moreActions} />}
                groups={groups.filter((items) => items.length > 0)}
              />
            )}
          </>
        )
      }
    >
      <Stack gap={3}>
        <Block person={person} isAsked={opened === 'block'} onAnswer={close} />
        {person.legal_hold && (
          <Notice tone="warn" icon="key">
            <strong>{text.legalHold}</strong>
            <p>{person.legal_hold.reason}</p>
          </Notice>
        )}
        {person.merged_into_id && (
          <Notice tone="info" icon="merge">
            <Link href={`/${person.merged_into_id}`}>{text.mergedInto}</Link>
          </Notice>
        )}
        {status === 'erased' && (
          <Notice tone="plain" icon="shield">
            {text.erasedHint}
          </Notice>
        )}
      </Stack>
      <TwoColumns
        facts={
          <Section title={text.details}>
            <Facts person={person} />
            <CustomFields
              appliesTo="end_user"
              object={person}
              queryKey={['end_users', id]}
              isEditable={mayWrite}
              read={() => backline.endUsers.retrieve(id)}
              write={(custom_fields, options) => backline.endUsers.update(id, { custom_fields }, options)}
            />
            <Metadata metadata={person.metadata} />
          </Section>
        }
      >
        {can('conversations:read') && status !== 'merged' && (
          <Section title={text.conversations}>
            <RelatedConversations of={{ end_user_id: id }} />
          </Section>
        )}
        {isThere && <Sessions person={person} />}
      </TwoColumns>
      {privacy.dialog}
      {opened === 'edit' && (
        <ResourcePanel resource={resource} item={person} onClose={close} onRemoved={() => navigate('/')} />
      )}
      {opened === 'merge' && (
        <MergeDialog
          person={person}
          onClose={close}
          onMerged={(intoId) => {
            close()
            navigate(`/${intoId}`)
          }}
        />
      )}
    </Page>
  )
}

function Facts({ person }: { person: EndUser }) {
  const text = useTexts(texts)
  return (
    <DescriptionList
      items={[
        ...usePersonFacts(person, null),
        [text.created, <When key="created" at={person.created_at} />],
        ['ID', <Copied key="id" value={person.id} what="ID" />],
      ]}
    />
  )
}
