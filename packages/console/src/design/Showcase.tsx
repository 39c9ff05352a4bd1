import { useTexts } from '../texts/language.tsx'
import { Page, Section } from './Page.tsx'
import { Colours } from './showcase/Colours.tsx'
import { Content, Icons } from './showcase/Content.tsx'
import { Buttons, Fields, Marks } from './showcase/Controls.tsx'
import { Layers } from './showcase/Layers.tsx'
import { Spacing, TypeScale } from './showcase/Measures.tsx'
import styles from './showcase/Showcase.module.css'
import { texts } from './showcase/texts.ts'

/** All tokens and components in their states: to choose from, and to see that a change of one suits the others. */
export function Showcase() {
  const text = useTexts(texts)
  return (
    <Page title={text.title} intro={text.intro}>
      <Section title={text.colours}>
        <p className={styles.hint}>{text.coloursHint}</p>
        <Colours />
      </Section>
      <div className={styles.columns}>
        <Section title={text.type}>
          <TypeScale />
        </Section>
        <Section title={text.spacing}>
          <Spacing />
        </Section>
      </div>
      <Buttons />
      <div className={styles.columns}>
        <Marks />
      </div>
      <Fields />
      <Layers />
      <Content />
      <Icons />
    </Page>
  )
}
