import {
  type InputHTMLAttributes,
  type Ref,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useRef,
  useState,
} from "react";

import * as t from "#messages";

import { useFieldProps } from "./field.tsx";
import { IconButton } from "./icon-button.tsx";
import { Icon } from "./icon/icon.tsx";

import s from "./field.module.css";

interface TextInputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, "className"> {
  ref?: Ref<HTMLInputElement>;
}

/** One line of text. Put it into a `Field`. */
export const TextInput = (props: TextInputProps) => (
  <input type="text" {...useFieldProps()} {...props} className={s.input} />
);

/** A term to search a list for, with a button that empties it. */
export function SearchInput({ onClear, ...props }: TextInputProps & { onClear: () => void }) {
  const field = useRef<HTMLInputElement>(null);
  return (
    <span className={s.withButton}>
      <input
        type="search"
        enterKeyHint="search"
        autoComplete="off"
        ref={field}
        {...useFieldProps()}
        {...props}
        className={s.input}
      />
      {props.value !== "" && (
        <IconButton
          icon="close"
          label={t.clearSearch}
          onClick={() => {
            onClear();
            field.current?.focus();
          }}
        />
      )}
    </span>
  );
}

/** A password with a button that shows it. Pasting and password managers work. */
export function PasswordInput(props: TextInputProps) {
  const [shown, setShown] = useState(false);
  return (
    <span className={s.withButton}>
      <input
        autoCapitalize="none"
        spellCheck={false}
        {...useFieldProps()}
        {...props}
        type={shown ? "text" : "password"}
        className={s.input}
      />
      <IconButton icon="eye" label={t.showPassword} pressed={shown} onClick={() => setShown(!shown)} />
    </span>
  );
}

interface TextAreaProps extends Omit<TextareaHTMLAttributes<HTMLTextAreaElement>, "className"> {
  ref?: Ref<HTMLTextAreaElement>;
}

/** Several lines of text. */
export const TextArea = (props: TextAreaProps) => <textarea {...useFieldProps()} {...props} className={s.input} />;

interface SelectProps extends Omit<SelectHTMLAttributes<HTMLSelectElement>, "className"> {
  ref?: Ref<HTMLSelectElement>;
}

/** The platform's own select: on a phone nothing beats its wheel. */
export function Select(props: SelectProps) {
  return (
    <span className={s.select}>
      <select {...useFieldProps()} {...props} className={s.input} />
      <Icon name="down" />
    </span>
  );
}
