import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import { Tooltip } from './Tooltip.tsx'

export type ButtonLook = 'normal' | 'primary' | 'danger' | 'plain'

type ButtonProps = ComponentProps<'button'> & { look?: ButtonLook; icon?: IconName | undefined }

export const buttonClass = (look: ButtonLook = 'normal', className?: string) =>
  classes(styles.button, look !== 'normal' && styles[look], className)

export function Button({ look = 'normal', icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={buttonClass(look, className)} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ComponentProps<'button'>, 'children'> & {
  /** Says what the button does, to everybody: as its name and as its tooltip. */
  label: string
  icon: IconName
  look?: ButtonLook
  shortcut?: string
  badge?: ReactNode
}

export function IconButton({
  label,
  icon,
  look = 'plain',
  shortcut,
  badge,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip text={label} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        className={classes(buttonClass(look), styles.icon, className)}
        {...rest}
      >
        <Icon name={icon} />
        {badge}
      </button>
    </Tooltip>
  )
}
