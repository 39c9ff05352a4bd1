import { runGroup } from '../groups.ts'

await runGroup('contract-3')
