import type { ComponentProps, ReactNode } from 'react'
import styles from './Button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './Icon.tsx'
import { tooltip } from './Tooltip.tsx'

export type ButtonVariant = 'normal' | 'primary' | 'danger' | 'plain'

type ButtonProps = ComponentProps<'button'> & {
  variant?: ButtonVariant
  /** A small one stands beside text, and is quiet. */
  isSmall?: boolean
  icon?: IconName | undefined
}

export const buttonClass = (variant: ButtonVariant = 'normal', className?: string) =>
  classes(styles.button, variant !== 'normal' && styles[variant], className)

export function Button({ variant = 'normal', isSmall, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={classes(buttonClass(variant, className), isSmall && styles.small)}
      {...rest}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type IconButtonProps = Omit<ButtonProps, 'children'> & {
  /** Says what the button does, to everybody: as its name and as its tooltip. */
  label: string
  icon: IconName
  shortcut?: string
  badge?: ReactNode
}

export function IconButton({
  label,
  icon,
  variant = 'plain',
  isSmall,
  shortcut,
  badge,
  className,
  ...rest
}: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      className={classes(buttonClass(variant), styles.icon, isSmall && styles.small, className)}
      {...tooltip(label, shortcut)}
      {...rest}
    >
      <Icon name={icon} />
      {badge}
    </button>
  )
}
