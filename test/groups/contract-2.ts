import { runGroup } from '../groups.ts'

await runGroup('contract-2')
