import type { ListedCommand } from './command.ts'

type Row = [name: string, summary: string, load: ListedCommand['load']]

const listed = (group: string, rows: Row[]): ListedCommand[] =>
  rows.map(([name, summary, load]) => ({ name, group, summary, load }))

const importCommand = (
  name: 'zendesk' | 'intercom' | 'chatwoot' | 'zammad' | 'freshdesk',
  title: string,
): Row => [
  `import ${name}`,
  `Import people, conversations and files from ${title}`,
  () => import('./import/commands.ts').then((imports) => ({ command: imports[name] })),
]

const apiCommand = (method: 'get' | 'post' | 'patch' | 'put' | 'delete'): Row => [
  `api ${method}`,
  `Send a ${method.toUpperCase()} request and print the response`,
  () => import('./api.ts').then((api) => ({ command: api[method] })),
]

/** All commands. Each is loaded on demand: loading all of them takes a second. */
export const commands: ListedCommand[] = [
  ...listed('Run and set up a server', [
    ['serve', 'Run the server until it is stopped, like npm start', () => import('./serve.ts')],
    ['migrate', 'Apply pending migrations to the database', () => import('./migrate.ts')],
    [
      'distribute',
      'Distribute the tables over the servers of a Citus cluster',
      () => import('./distribute.ts'),
    ],
    [
      'workspaces create',
      'Create a workspace with a live and a test environment',
      () => import('./workspaces-create.ts'),
    ],
    ['workspaces list', 'List all workspaces', () => import('./workspaces-list.ts')],
    [
      'keys create',
      'Create an API key and print only the key itself, which is shown once',
      () => import('./keys-create.ts'),
    ],
    ['keys list', 'List the API keys of a workspace, without their secrets', () => import('./keys-list.ts')],
    ['keys revoke', 'Revoke an API key on all servers within a second', () => import('./keys-revoke.ts')],
    [
      'secrets rotate',
      'Replace the key that encrypts secrets in the database, while servers run',
      () => import('./secrets-rotate.ts'),
    ],
    ['console link', 'Print a one-time link that signs in to the console', () => import('./console-link.ts')],
    [
      'files adopt',
      'Make the configured store of files that of the database',
      () => import('./files-adopt.ts'),
    ],
    ['openapi', 'Print the OpenAPI document', () => import('./openapi.ts')],
    [
      'doctor',
      'Check settings, database, migrations, files and port, and suggest fixes',
      () => import('./doctor.ts'),
    ],
  ]),
  ...listed('Call the API', [
    ['login', 'Store an API key for later commands', () => import('./login.ts')],
    ['logout', 'Remove a stored API key', () => import('./logout.ts')],
    ['profiles list', 'List the stored profiles', () => import('./profiles-list.ts')],
    ['profiles use', 'Select the profile of later commands', () => import('./profiles-use.ts')],
    ...(['get', 'post', 'patch', 'put', 'delete'] as const).map(apiCommand),
    ['events tail', 'Print events as they happen', () => import('./events-tail.ts')],
    ['requests tail', 'Print requests once they are in the request log', () => import('./requests-tail.ts')],
    ['listen', 'Forward events to a local receiver, signed like webhooks', () => import('./listen.ts')],
    ['trigger', 'Make an event happen in a test environment', () => import('./trigger.ts')],
    importCommand('zendesk', 'Zendesk'),
    importCommand('intercom', 'Intercom'),
    importCommand('chatwoot', 'Chatwoot'),
    importCommand('zammad', 'Zammad'),
    importCommand('freshdesk', 'Freshdesk'),
    ['import ndjson', 'Import a file of NDJSON', () => import('./import/ndjson.ts')],
    [
      'mail fetch',
      'Deliver the unseen mails of an IMAP folder, until it is stopped',
      () => import('./mail-fetch.ts'),
    ],
    [
      'operators invite',
      'Print a link that signs an operator in to the console, once',
      () => import('./operators-invite.ts'),
    ],
    ['jobs watch', 'Show how far a job is until it has ended', () => import('./jobs-watch.ts')],
    ['demo', 'Fill a test environment with a support desk', () => import('./demo.ts')],
  ]),
  ...listed('This program', [
    [
      'completion',
      'Print a script that completes commands and options',
      () => import('./completion.ts').then(({ completionOf }) => ({ command: completionOf(commands) })),
    ],
    ['version', 'Print the version', () => import('./version.ts')],
  ]),
]
