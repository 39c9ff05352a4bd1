import { runGroup } from '../../groups.ts'

await runGroup('browser-3')
