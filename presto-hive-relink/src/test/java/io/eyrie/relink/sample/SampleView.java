// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink.sample;

/** Has the older constructor and the newer one, which takes the mode as a further argument in the middle. */
public record SampleView(String owner, String mode, String sql)
{
    public SampleView(String owner, String sql)
    {
        this(owner, "lost", sql);
    }

    public String getOwner()
    {
        return owner;
    }

    public String getMode()
    {
        return mode;
    }
}
