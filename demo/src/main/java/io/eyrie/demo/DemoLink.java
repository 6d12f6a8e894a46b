// SPDX-License-Identifier: Apache-2.0
package io.eyrie.demo;

import com.fasterxml.jackson.annotation.JsonValue;
import io.eyrie.testing.link.LinkShape;

import java.util.Locale;

/** The link between Presto and S3. */
public enum DemoLink
{
    /** A store in another region. */
    FAR,
    /** A store in the same region. */
    NEAR,
    /** A store on this machine. */
    NONE;

    LinkShape shape()
    {
        return switch (this) {
            case FAR -> LinkShape.FAR;
            case NEAR -> LinkShape.STANDARD;
            case NONE -> LinkShape.UNSHAPED;
        };
    }

    /** Returns a description for a reader of results. */
    String description()
    {
        return this == NONE
                ? "S3 on this machine, without a link"
                : String.format(
                        Locale.ROOT,
                        "S3 behind a %s link: %s ms a request, %s MB/s a connection",
                        this,
                        shape().requestDelay().toMillis(),
                        shape().bytesPerSecond() / 1_000_000);
    }

    /** Returns the option's word, also in JSON. */
    @Override
    @JsonValue
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
