import type { ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useCommands } from '../app/commands.tsx'
import { type Scope, useEnvironment } from '../data/environment.tsx'
import { Button } from '../design/Button.tsx'
import { Page } from '../design/Page.tsx'
import type { Resource } from './descriptor.ts'
import { ResourceList, type ResourceListProps } from './ResourceList.tsx'

type ResourcePageProps<Item extends Resource, Draft extends object> = Pick<
  ResourceListProps<Item, Draft>,
  'resource' | 'children'
> & {
  /** Stands above the list. */
  above?: ReactNode
  /** Called when a person wants a new object, by the button of the page. */
  onCreate?: () => void
}

/** All objects of a resource, and the form of the one in the address: `/tags`, `/tags/new`, `/tags/tag_…`. */
export function ResourcePage<Item extends Resource, Draft extends object>({
  resource,
  children,
  above,
  onCreate,
}: ResourcePageProps<Item, Draft>) {
  const [address, navigate] = useLocation()
  const { path, texts } = resource
  const open = (id: string | null, replace = false) =>
    navigate(id ? `/${path}/${id}` : `/${path}`, { replace })
  return (
    <Page
      title={texts.title}
      intro={texts.intro}
      actions={
        <CreateButton
          resource={resource}
          onCreate={() => {
            onCreate?.()
            open('new')
          }}
        />
      }
    >
      {above}
      <ResourceList resource={resource} opened={address.split('/')[2]} onOpen={open}>
        {children}
      </ResourceList>
    </Page>
  )
}

type CreateButtonProps = {
  resource: { scope: Scope; texts: { title: string; create: string } }
  onCreate(): void
}

/** The button and the command that open the form of a new object, for those who may write. */
export function CreateButton({ resource: { scope, texts }, onCreate }: CreateButtonProps) {
  const mayWrite = useEnvironment().can(scope)
  useCommands(
    mayWrite ? [{ label: texts.create, group: texts.title, icon: 'plus', shortcut: 'c', run: onCreate }] : [],
  )
  return (
    mayWrite && (
      <Button variant="primary" icon="plus" onClick={onCreate}>
        {texts.create}
      </Button>
    )
  )
}
