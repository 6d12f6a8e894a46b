// SPDX-License-Identifier: Apache-2.0
package io.eyrie.relink.sample;

import java.util.List;
import java.util.function.Function;

public class SampleConnector
        implements Function<SampleView, String>
{
    @Override
    public String apply(SampleView view)
    {
        SampleView copy = new SampleView(
                view.getOwner(),
                view.sql() + "!");
        return new SampleContext().updater() + ", " + copy.getOwner() + ", " + copy.getMode() + ", " + copy.sql();
    }

    public List<SampleHandle> handles()
    {
        return List.of(() -> "a handle");
    }
}
