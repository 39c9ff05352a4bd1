import type { CommandSpec } from './command.ts'

export type ListedCommand = {
  /** One word or two: `keys create`. */
  name: string
  summary: string
  load(): Promise<{ command: CommandSpec }>
}

/** All commands. Each is loaded on demand: loading all of them takes a second. */
export const commands: ListedCommand[] = [
  {
    name: 'serve',
    summary: 'Run the server until it is stopped, like npm start',
    load: () => import('./serve.ts'),
  },
  {
    name: 'migrate',
    summary: 'Apply pending migrations to the database',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'distribute',
    summary: 'Distribute the tables over the servers of a Citus cluster',
    load: () => import('./distribute.ts'),
  },
  {
    name: 'workspaces create',
    summary: 'Create a workspace with a live and a test environment',
    load: () => import('./workspaces-create.ts'),
  },
  {
    name: 'workspaces list',
    summary: 'List all workspaces',
    load: () => import('./workspaces-list.ts'),
  },
  {
    name: 'keys create',
    summary: 'Create an API key and print only the key itself, which is shown once',
    load: () => import('./keys-create.ts'),
  },
  {
    name: 'keys list',
    summary: 'List the API keys of a workspace, without their secrets',
    load: () => import('./keys-list.ts'),
  },
  {
    name: 'keys revoke',
    summary: 'Revoke an API key on all servers within a second',
    load: () => import('./keys-revoke.ts'),
  },
  {
    name: 'listen',
    summary: 'Forward events to a local receiver, signed like webhooks',
    load: () => import('./listen.ts'),
  },
  {
    name: 'openapi',
    summary: 'Print the OpenAPI document',
    load: () => import('./openapi.ts'),
  },
  {
    name: 'doctor',
    summary: 'Check settings, database, migrations and port, and suggest fixes',
    load: () => import('./doctor.ts'),
  },
]
