import { runGroup } from '../groups.ts'

await runGroup('routes-2')
