import type { Workspace } from '@backline/sdk'
import { useQuery } from '@tanstack/react-query'
import { useEnvironment } from '../../data/environment.tsx'
import { useWrite } from '../../data/write.ts'
import { Stack } from '../../design/Layout.tsx'
import { Loaded } from '../../design/Lists.tsx'
import { Page } from '../../design/Page.tsx'
import { useToast } from '../../design/Toast.tsx'
import { CheckboxField, Group } from '../../forms/Form.tsx'
import { useTexts } from '../../texts/language.tsx'
import { ClaimOrderSelect } from '../claiming/ClaimOrderSelect.tsx'
import { claimingTexts } from '../claiming/texts.ts'
import { texts } from './texts.ts'

const key = ['workspace']

/** The settings of the environment. */
export function WorkspacePage() {
  const text = useTexts(texts)
  const { backline } = useEnvironment()
  const query = useQuery({ queryKey: key, queryFn: () => backline.workspace.retrieve() })
  return (
    <Page title={text.title} intro={text.intro}>
      <Loaded query={query}>{(workspace) => <Claiming workspace={workspace} />}</Loaded>
    </Page>
  )
}

function Claiming({ workspace }: { workspace: Workspace }) {
  const text = useTexts(texts)
  const claiming = useTexts(claimingTexts)
  const toast = useToast()
  const { backline } = useEnvironment()
  const { mutate, isPending, variables } = useWrite({
    run: (change: Partial<Pick<Workspace, 'claim_order' | 'reply_assigns'>>) =>
      backline.workspace.update(change),
    refresh: [key],
    failed: text.notSaved,
    onDone: () => toast.done({ title: text.saved }),
  })
  const { claim_order, reply_assigns } = { ...workspace, ...(isPending && variables) }
  return (
    <Stack gap={4}>
      <Group title={text.next} intro={text.nextIntro}>
        <ClaimOrderSelect value={claim_order} onChange={(value) => mutate({ claim_order: value })} />
      </Group>
      <Group title={text.replies} intro={text.repliesIntro}>
        <CheckboxField
          label={claiming.replyAssigns}
          hint={claiming.replyAssignsMeans}
          value={reply_assigns}
          onChange={(value) => mutate({ reply_assigns: value })}
        />
      </Group>
    </Stack>
  )
}
