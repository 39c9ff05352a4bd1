import { on } from '../../../platform/resource/resource.ts'
import { recordValues } from '../../properties/custom-fields/values/values.ts'
import { companies } from './entity.ts'
import { deleteDomains, insertDomains } from './queries.ts'

/** Writes the rows that make domains unique and find companies by them. */
const onCompany = on(companies, (change, before, after) => {
  const company_id = (after ?? before)!.id
  const [former, present] = [new Set(before?.domains), new Set(after?.domains)]
  for (const domain of former.difference(present))
    change.effects.writeBatched(deleteDomains, { domain, company_id })
  for (const domain of present.difference(former))
    change.effects.writeBatched(insertDomains, { domain, company_id })
})

export const companyReactions = [onCompany, on(companies, recordValues)]
