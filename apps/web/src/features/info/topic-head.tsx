import { Button } from "@marketday/ui/button.tsx";

import type { InfoTopic } from "../../navigation/modals.ts";
import { useNavigation } from "../../navigation/overlays.ts";
import { Badge } from "./badge.tsx";
import { topics } from "./topics.ts";

import s from "./topic-head.module.css";

/** Below a special collection's title: its badge, what it is in one line, and the way to more. */
export function TopicHead({ topic }: { topic: InfoTopic }) {
  const { openModal } = useNavigation();
  const { title, line, kinds } = topics[topic];
  const id = `about-${topic}`;
  return (
    <div className={s.head}>
      {kinds.map(({ badge }) => (
        <Badge key={badge} kind={badge} size="md" />
      ))}
      <p>
        {line}{" "}
        <Button kind="link" id={id} onClick={() => openModal({ kind: "info", topic }, id)}>
          About {title}
        </Button>
      </p>
    </div>
  );
}
