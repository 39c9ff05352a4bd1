import { useQueries, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { useCommand } from '../app/commands.tsx'
import { useOperators } from '../data/configuration.ts'
import { useEnvironment } from '../data/environment.tsx'
import { useWrite } from '../data/write.ts'
import { DemoDialog } from '../demo/Demo.tsx'
import { Button, buttonClass } from '../design/Button.tsx'
import { KeyHint } from '../design/KeyHint.tsx'
import { FramedList, Quiet, Row } from '../design/Layout.tsx'
import { Page } from '../design/Page.tsx'
import { CheckboxField } from '../forms/Form.tsx'
import { claimingTexts } from '../setup/claiming/texts.ts'
import { useTexts } from '../texts/language.tsx'
import { pageTexts } from '../texts/pages.ts'
import { closeStart } from './closed.ts'
import { Step } from './Step.tsx'
import { texts } from './texts.ts'
import { type Client, useClients } from './use-clients.ts'

/** The first steps of an operator: of an administrator, until it is closed; of all others, once. */
export function GetStarted() {
  const text = useTexts(texts)
  const labels = useTexts(pageTexts)
  const [, navigate] = useLocation()
  const { name, operator, can } = useEnvironment()
  const clients = useClients()
  const other = name === 'live' ? 'test' : 'live'
  const hasOther = clients.some((each) => each.name === other)
  const test = clients.find((each) => each.name === 'test')
  const isAdmin = operator.role === 'admin'
  useEffect(() => {
    if (!isAdmin) closeStart(operator)
  }, [isAdmin, operator])
  return (
    <Page
      title={labels.get_started}
      intro={
        <>
          {name === 'live' ? text.inLive : text.inTest}{' '}
          {hasOther ? (
            <>
              {text.other(text[other])}{' '}
              <Link href={`/${other}/get_started`}>{text.switchTo(text[other])}</Link>
            </>
          ) : (
            text.notIn(text[other])
          )}
        </>
      }
    >
      <FramedList aria-label={labels.get_started}>
        {test?.can('api_keys:write') && <Demo test={test} />}
        <Online clients={clients} />
        {can('api_keys:write') && <Keys />}
        {can('operators:write') && <Invite />}
        {can('workspace:write') && <Replies />}
        <Keyboard />
      </FramedList>
      <Row wraps>
        <Link href={`/${name}/inbox`} className={buttonClass('primary')}>
          {text.toInbox}
        </Link>
        {isAdmin && (
          <Button
            onClick={() => {
              closeStart(operator)
              navigate(`/${name}/inbox`)
            }}
          >
            {text.closeForGood}
          </Button>
        )}
        <Quiet>{text.again}</Quiet>
      </Row>
    </Page>
  )
}

function Demo({ test }: { test: Client }) {
  const text = useTexts(texts)
  const [isOpen, setOpen] = useState(false)
  const { data: isFilled = false } = useQuery({
    queryKey: ['get_started', 'test', 'conversations'],
    queryFn: async ({ signal }) =>
      (await test.backline.conversations.list({ limit: 1 }, { signal })).data.length > 0,
  })
  return (
    <Step
      icon="bolt"
      title={text.demo}
      hint={text.demoHint}
      isDone={isFilled}
      state={isFilled && text.demoDone}
    >
      <Button variant={isFilled ? 'normal' : 'primary'} onClick={() => setOpen(true)}>
        {text.demoNow}
      </Button>
      {isFilled && (
        <Link href="/test/inbox" className={buttonClass('normal')}>
          {text.openTest}
        </Link>
      )}
      <DemoDialog
        backline={test.backline}
        operator={test.operator}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      />
    </Step>
  )
}

function Online({ clients }: { clients: Client[] }) {
  const text = useTexts(texts)
  const keyOf = ({ operator }: Client) => ['operators', operator.id]
  const operators = useQueries({
    queries: clients.map((client) => ({
      queryKey: keyOf(client),
      queryFn: () => client.backline.operators.retrieve(client.operator.id),
    })),
  })
  const offline = clients.filter((_, i) => operators[i]!.data?.status !== 'online')
  const set = useWrite({
    run: () =>
      Promise.all(
        offline.map(({ backline, operator }) =>
          backline.operators.status.set(operator.id, { status: 'online' }),
        ),
      ),
    refresh: clients.map(keyOf),
    failed: text.onlineFailed,
  })
  const isKnown = operators.every(({ data }) => data)
  return (
    <Step
      icon="heart"
      title={text.goOnline}
      hint={text.onlineHint}
      isDone={isKnown && offline.length === 0}
      state={
        isKnown &&
        clients.map(({ name }, i) => `${text[name]}: ${text[operators[i]!.data!.status]}`).join(' · ')
      }
    >
      {offline.length > 0 && (
        <Button disabled={!isKnown || set.isPending} onClick={() => set.mutate()}>
          {text.onlineNow}
        </Button>
      )}
    </Step>
  )
}

const mostNamed = 3

function Keys() {
  const text = useTexts(texts)
  const { name, backline } = useEnvironment()
  const { data = [] } = useQuery({
    queryKey: ['api_keys', 'get_started'],
    queryFn: async ({ signal }) =>
      (await backline.apiKeys.list({ limit: 100 }, { signal })).data.filter(
        ({ revoked_at }) => revoked_at === null,
      ),
  })
  const names = data.slice(0, mostNamed).map((each) => each.name)
  return (
    <Step
      icon="key"
      title={text.key}
      hint={text.keyHint}
      isDone={data.length > 0}
      state={
        data.length > 0 && text.keysOf(data.length, names.join(', ') + (data.length > mostNamed ? ', …' : ''))
      }
    >
      <Link href={`/${name}/engineering/keys`} className={buttonClass('normal')}>
        {text.keys}
      </Link>
    </Step>
  )
}

function Invite() {
  const text = useTexts(texts)
  const { name, operator } = useEnvironment()
  const { data = [] } = useOperators()
  const count = data.filter(({ id }) => id !== operator.id).length
  return (
    <Step
      icon="users"
      title={text.invite}
      hint={text.inviteHint}
      isDone={count > 0}
      state={count > 0 && text.colleagues(count)}
    >
      <Link href={`/${name}/setup/operators`} className={buttonClass('normal')}>
        {text.operators}
      </Link>
    </Step>
  )
}

const workspaceKey = ['workspace']

function Replies() {
  const text = useTexts(texts)
  const claiming = useTexts(claimingTexts)
  const { backline } = useEnvironment()
  const { data } = useQuery({ queryKey: workspaceKey, queryFn: () => backline.workspace.retrieve() })
  const { mutate, isPending, variables } = useWrite({
    run: (reply_assigns: boolean) => backline.workspace.update({ reply_assigns }),
    refresh: [workspaceKey],
    failed: text.repliesFailed,
  })
  const isOn = isPending ? variables : (data?.reply_assigns ?? false)
  return (
    <Step icon="send" title={text.replies} hint={text.repliesHint} isDone={isOn}>
      {data && (
        <CheckboxField
          label={claiming.replyAssigns}
          hint={claiming.replyAssignsMeans}
          value={isOn}
          onChange={mutate}
        />
      )}
    </Step>
  )
}

function Keyboard() {
  const text = useTexts(texts)
  const keys = useCommand('keys')
  const palette = useCommand('palette')
  return (
    <Step icon="keyboard" title={text.keyboard} hint={text.keyboardHint}>
      {[keys, palette].map(
        (command) =>
          command && (
            <Button key={command.label} onClick={() => command.run()}>
              {command.label} <KeyHint keys={command.shortcut ?? ''} />
            </Button>
          ),
      )}
    </Step>
  )
}
