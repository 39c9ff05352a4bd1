import { useMemo } from 'react'
import {
  useDepartmentNames,
  useEveryCustomField,
  useHoldReasons,
  useNames,
  useOperatorNames,
} from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { useFormats } from '../../texts/formats.ts'
import { useTexts } from '../../texts/language.tsx'
import { modelTexts } from '../model/texts.ts'
import type { EventWording } from './describe-event.ts'
import { texts } from './texts.ts'

/** The words, names and formats that descriptions of events are made of. */
export function useEventWording(): EventWording {
  const text = useTexts(texts)
  const word = useTexts(modelTexts)
  const { moment } = useFormats()
  const { operator } = useEnvironment()
  const operatorName = useOperatorNames()
  const departmentName = useDepartmentNames()
  const holdReasonName = useNames(useHoldReasons().data)
  const { data: fields } = useEveryCustomField()
  return useMemo(
    () => ({
      text,
      word,
      operatorId: operator.id,
      operatorName,
      departmentName,
      holdReasonName,
      fieldName: (key) =>
        fields?.find((each) => each.applies_to === 'conversation' && each.key === key)?.name ?? key,
      moment,
    }),
    [text, word, operator.id, operatorName, departmentName, holdReasonName, fields, moment],
  )
}
