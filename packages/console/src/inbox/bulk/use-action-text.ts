import type { MacroActionInput } from '@backline/sdk'
import { useCustomFields } from '../../data/configuration.ts'
import { useEnvironment } from '../../data/environment.tsx'
import { texts as macroTexts } from '../../setup/macros/texts.ts'
import { useTexts } from '../../texts/language.tsx'
import { useValueText } from '../model/values.ts'
import type { Run } from './runs.ts'
import { texts } from './texts.ts'

/** Actions as people say them: "Set priority: High". */
export function useActionText() {
  const text = useTexts(texts)
  const names = useTexts(macroTexts)
  const { operator } = useEnvironment()
  const { textOf } = useValueText()
  const fields = useCustomFields().data ?? []

  function valueIn(action: MacroActionInput): string | null {
    switch (action.type) {
      case 'set_priority':
        return textOf('priority', action.priority)
      case 'set_category':
        return textOf('category_id', action.category_id)
      case 'set_department':
        return textOf('department_id', action.department_id)
      case 'assign':
        return textOf('assignee_id', action.operator_id === 'me' ? operator.id : action.operator_id)
      case 'add_tags':
      case 'remove_tags':
        return action.tags.join(', ')
      case 'hold':
        return textOf('hold', action)
      case 'set_custom_field': {
        const name = fields.find(({ applies_to, key }) => applies_to === 'conversation' && key === action.key)
        return `${name?.name ?? action.key} = ${textOf('value', action.value)}`
      }
      default:
        return null
    }
  }
  const textOfActions = (actions: MacroActionInput[]): string =>
    actions
      .map((action) => {
        const value = valueIn(action)
        return value === null ? names[action.type] : `${names[action.type]}: ${value}`
      })
      .join(', ')
  return {
    textOfActions,
    textOfRun({ macro, actions, isUndo }: Pick<Run, 'macro' | 'actions' | 'isUndo'>): string {
      const what = macro === null ? textOfActions(actions) : text.macroNamed(macro)
      return isUndo ? text.undoNamed(what) : what
    },
  }
}
