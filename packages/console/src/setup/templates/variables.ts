/** Variables that every rendering has. */
const conversation = ['subject', 'id', 'status', 'priority', 'language', 'external_user_id']
const endUser = ['name', 'email', 'external_id', 'language']
const operator = ['name', 'email']

export const standardGroups: string[][] = [
  endUser.map((name) => `end_user.${name}`),
  conversation.map((name) => `conversation.${name}`),
  operator.map((name) => `operator.${name}`),
  ['now | date: "%-d %B %Y"'],
]

const roots = new Set(['conversation', 'end_user', 'operator', 'now'])

/** The names that whoever renders the template has to give. */
export const ownNames = (paths: string[]): string[] => [
  ...new Set(paths.map((path) => path.split(/[.[]/)[0]!).filter((root) => !roots.has(root))),
]
