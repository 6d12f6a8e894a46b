// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink.sample;

public final class SampleReplacement
{
    private SampleReplacement()
    {}

    public static String updater(SampleContext context)
    {
        return "instead of " + context.updater();
    }
}
