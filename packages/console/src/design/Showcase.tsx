import { useTexts } from '../texts/language.tsx'
import { Columns, Quiet } from './Layout.tsx'
import { Page, Section } from './Page.tsx'
import { Colours } from './showcase/Colours.tsx'
import { Content, Icons } from './showcase/Content.tsx'
import { Buttons, Fields, Marks } from './showcase/Controls.tsx'
import { Layers } from './showcase/Layers.tsx'
import { Spacing, TypeScale } from './showcase/Measures.tsx'
import { texts } from './showcase/texts.ts'

/** All tokens and components in their states: to choose from, and to see that a change of one suits the others. */
export function Showcase() {
  const text = useTexts(texts)
  return (
    <Page title={text.title} intro={text.intro}>
      <Section title={text.colours}>
        <Quiet as="p">{text.coloursHint}</Quiet>
        <Colours />
      </Section>
      <Columns gap={4} least="22rem">
        <Section title={text.type}>
          <TypeScale />
        </Section>
        <Section title={text.spacing}>
          <Spacing />
        </Section>
      </Columns>
      <Buttons />
      <Columns gap={4} least="22rem">
        <Marks />
      </Columns>
      <Fields />
      <Layers />
      <Content />
      <Icons />
    </Page>
  )
}
