import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** The unprivileged user that PostgreSQL runs as when we are root, which it refuses to be. */
export type Account = { uid: number; gid: number; name: string }

/** Null when we are not root: PostgreSQL then runs as ourselves. */
export async function chooseAccount(cluster: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const users = await readUsers()
  const owner = await stat(cluster).catch(() => null)
  if (owner && owner.uid !== 0) {
    // A cluster keeps its user, so that one made without root still starts without root.
    return (
      users.find((user) => user.uid === owner.uid) ?? {
        uid: owner.uid,
        gid: owner.gid,
        name: `#${owner.uid}`,
      }
    )
  }
  const named = (name: string) => users.find((user) => user.name === name)
  return named('postgres') ?? named('nobody') ?? { uid: 65534, gid: 65534, name: 'nobody' }
}

async function readUsers(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
}

/** The first directory on the way into `directory` (a real path, itself included) that the account cannot enter. */
export async function firstClosedDirectory(directory: string, account: Account): Promise<string | null> {
  for (const each of pathFromRoot(directory)) {
    const { mode, uid, gid } = await stat(each)
    const entering = uid === account.uid ? 0o100 : gid === account.gid ? 0o010 : 0o001
    if ((mode & entering) === 0) return each
  }
  return null
}

function pathFromRoot(directory: string): string[] {
  const parent = path.dirname(directory)
  return parent === directory ? [directory] : [...pathFromRoot(parent), directory]
}

/** Hands a directory with all it holds to the account; needed when root restored it from a copy. */
export async function giveTo(account: Account, directory: string): Promise<void> {
  const { uid, gid } = account
  for (const each of await readdir(directory, { recursive: true }))
    await lchown(path.join(directory, each), uid, gid)
  await lchown(directory, uid, gid)
}

/** Lets the account, and nobody else, pass through a directory that is root's alone; false for any other one. */
export async function letThrough(account: Account, directory: string): Promise<boolean> {
  const { mode, uid, gid } = await stat(directory)
  if (uid !== 0 || gid !== 0) return false
  await lchown(directory, 0, account.gid)
  await chmod(directory, (mode & 0o7707) | 0o010)
  return true
}
