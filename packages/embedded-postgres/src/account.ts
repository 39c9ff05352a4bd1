import { chmod, lchown, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'

/** The unprivileged user that runs PostgreSQL if the process is root; PostgreSQL refuses to run as root. */
export type Account = { uid: number; gid: number; name: string }

/** Null if the process is not root: PostgreSQL then runs as the same user. */
export async function chooseAccount(cluster: string): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  const users = await readUsers()
  const owner = await stat(cluster).catch(() => null)
  if (owner && owner.uid !== 0) {
    // A cluster keeps its user, so that one created without root still starts without root.
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

/** The first directory on the path to `directory` (a real path, included) that the account cannot enter. */
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

/** Transfers a directory with its content to the account; needed after root restored it from a copy. */
export async function giveTo(account: Account, directory: string): Promise<void> {
  const { uid, gid } = account
  for (const each of await readdir(directory, { recursive: true }))
    await lchown(path.join(directory, each), uid, gid)
  await lchown(directory, uid, gid)
}

/** Lets only the account pass through a private directory of root; false for any other directory. */
export async function letThrough(account: Account, directory: string): Promise<boolean> {
  const { mode, uid, gid } = await stat(directory)
  if (uid !== 0 || gid !== 0) return false
  await lchown(directory, 0, account.gid)
  await chmod(directory, (mode & 0o7707) | 0o010)
  return true
}
