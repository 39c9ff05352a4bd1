import type { ListedCommand } from './command.ts'

const server = 'Run and set up a server'
const api = 'Call the API'
const other = 'This program'

/** All commands. Each is loaded on demand: loading all of them takes a second. */
export const commands: ListedCommand[] = [
  {
    name: 'serve',
    group: server,
    summary: 'Run the server until it is stopped, like npm start',
    load: () => import('./serve.ts'),
  },
  {
    name: 'migrate',
    group: server,
    summary: 'Apply pending migrations to the database',
    load: () => import('./migrate.ts'),
  },
  {
    name: 'distribute',
    group: server,
    summary: 'Distribute the tables over the servers of a Citus cluster',
    load: () => import('./distribute.ts'),
  },
  {
    name: 'workspaces create',
    group: server,
    summary: 'Create a workspace with a live and a test environment',
    load: () => import('./workspaces-create.ts'),
  },
  {
    name: 'workspaces list',
    group: server,
    summary: 'List all workspaces',
    load: () => import('./workspaces-list.ts'),
  },
  {
    name: 'keys create',
    group: server,
    summary: 'Create an API key and print only the key itself, which is shown once',
    load: () => import('./keys-create.ts'),
  },
  {
    name: 'keys list',
    group: server,
    summary: 'List the API keys of a workspace, without their secrets',
    load: () => import('./keys-list.ts'),
  },
  {
    name: 'keys revoke',
    group: server,
    summary: 'Revoke an API key on all servers within a second',
    load: () => import('./keys-revoke.ts'),
  },
  {
    name: 'secrets rotate',
    group: server,
    summary: 'Replace the key that encrypts secrets in the database, while servers run',
    load: () => import('./secrets-rotate.ts'),
  },
  {
    name: 'console link',
    group: server,
    summary: 'Print a one-time link that signs in to the console',
    load: () => import('./console-link.ts'),
  },
  {
    name: 'files adopt',
    group: server,
    summary: 'Make the configured store of files that of the database',
    load: () => import('./files-adopt.ts'),
  },
  {
    name: 'openapi',
    group: server,
    summary: 'Print the OpenAPI document',
    load: () => import('./openapi.ts'),
  },
  {
    name: 'doctor',
    group: server,
    summary: 'Check settings, database, migrations, files and port, and suggest fixes',
    load: () => import('./doctor.ts'),
  },
  {
    name: 'login',
    group: api,
    summary: 'Store an API key for later commands',
    load: () => import('./login.ts'),
  },
  {
    name: 'logout',
    group: api,
    summary: 'Remove a stored API key',
    load: () => import('./logout.ts'),
  },
  {
    name: 'profiles list',
    group: api,
    summary: 'List the stored profiles',
    load: () => import('./profiles-list.ts'),
  },
  {
    name: 'profiles use',
    group: api,
    summary: 'Select the profile of later commands',
    load: () => import('./profiles-use.ts'),
  },
  {
    name: 'api get',
    group: api,
    summary: 'Send a GET request and print the response',
    load: () => import('./api.ts').then(({ get }) => ({ command: get })),
  },
  {
    name: 'api post',
    group: api,
    summary: 'Send a POST request and print the response',
    load: () => import('./api.ts').then(({ post }) => ({ command: post })),
  },
  {
    name: 'api patch',
    group: api,
    summary: 'Send a PATCH request and print the response',
    load: () => import('./api.ts').then(({ patch }) => ({ command: patch })),
  },
  {
    name: 'api put',
    group: api,
    summary: 'Send a PUT request and print the response',
    load: () => import('./api.ts').then(({ put }) => ({ command: put })),
  },
  {
    name: 'api delete',
    group: api,
    summary: 'Send a DELETE request and print the response',
    load: () => import('./api.ts').then(({ remove }) => ({ command: remove })),
  },
  {
    name: 'events tail',
    group: api,
    summary: 'Print events as they happen',
    load: () => import('./events-tail.ts'),
  },
  {
    name: 'listen',
    group: api,
    summary: 'Forward events to a local receiver, signed like webhooks',
    load: () => import('./listen.ts'),
  },
  {
    name: 'trigger',
    group: api,
    summary: 'Make an event happen in a test environment',
    load: () => import('./trigger.ts'),
  },
  {
    name: 'demo',
    group: api,
    summary: 'Fill a test environment with a support desk',
    load: () => import('./demo.ts'),
  },
  {
    name: 'completion',
    group: other,
    summary: 'Print a script that completes commands and options',
    load: () => import('./completion.ts').then(({ completionOf }) => ({ command: completionOf(commands) })),
  },
  {
    name: 'version',
    group: other,
    summary: 'Print the version',
    load: () => import('./version.ts'),
  },
]
